/**
 * Checks that a former name or class has one meaning only, and that what a type drops is really gone.
 */

import { typeIdOf } from '../model/catalog.ts';
import type { ContentType, Field } from '../model/content-type.ts';

const isRepeated = (name: string, index: number, all: readonly string[]) => all.indexOf(name) < index;

/** Finds problems of the former names of one of a type's fields. */
export function checkFormerNames(field: Field, fields: readonly Field[]): string[] {
  const earlier = fields.slice(0, fields.indexOf(field));
  return field.formerNames.flatMap((former, index, all) => {
    if (fields.some(({ name }) => name === former))
      return [`the former name ${former} is a field of the type`];
    const other = earlier.find(({ formerNames }) => formerNames.includes(former));
    if (other || isRepeated(former, index, all))
      return [`the former name ${former} already belongs to ${(other ?? field).name}`];
    const overlapping = fields.find(({ name }) => isWithin(name, former) || isWithin(former, name));
    return overlapping
      ? [`the former name ${former} would be stored in the same place as ${overlapping.name}`]
      : [];
  });
}

const isWithin = (name: string, outer: string) => name.startsWith(`${outer}.`);

/** Finds problems of the fields that a type drops. */
export function checkDropped(dropped: readonly string[], fields: readonly Field[]): string[] {
  return dropped.flatMap((name, index) => {
    if (isRepeated(name, index, dropped)) return [`@drops lists ${name} twice`];
    if (fields.some((field) => field.name === name))
      return [`@drops lists ${name}, which is a field of the type`];
    const heir = fields.find(({ formerNames }) => formerNames.includes(name));
    return heir ? [`@drops lists ${name}, which is a former name of ${heir.name}`] : [];
  });
}

/** Finds problems of the former class names of a type. */
export function checkFormerClasses(type: ContentType, all: readonly ContentType[]): string[] {
  const earlier = all.slice(0, all.indexOf(type));
  return type.formerClasses.flatMap((former, index, list) => {
    const id = typeIdOf(former);
    const present = all.find((other) => other.class === former);
    if (present) return [`former class name ${former} belongs to ${present.name}`];
    const other = earlier.find(({ formerClasses }) => formerClasses.includes(former));
    if (other || isRepeated(former, index, list))
      return [`former class name ${former} already belongs to ${(other ?? type).name}`];
    const sameId = all.find((one) => one.id === id && one !== type);
    return sameId ? [`the type ID ${id} of the former class ${former} belongs to ${sameId.name}`] : [];
  });
}
