/**
 * Builds a catalog from content types: finds them by class name and type ID, former ones too, and knows which implement an interface.
 */

import { v5 } from 'uuid';
import { unknownType } from '../base/errors.ts';
import type { Catalog, ContentType } from './content-type.ts';

/** Creates the catalog of these content types and interfaces. */
export function createCatalog(contentTypes: readonly ContentType[]): Catalog {
  const sorted = contentTypes.toSorted((a, b) => (a.class < b.class ? -1 : 1));
  const byName = new Map(sorted.flatMap((type) => namesOf(type).map((name) => [name, type] as const)));
  const types = byClass(sorted.filter(({ kind }) => kind === 'object'));
  const interfaces = byClass(sorted.filter(({ kind }) => kind === 'interface'));
  const concrete = new Map(sorted.map((type) => [type.class, concreteClasses(type, types)]));
  return {
    types,
    interfaces,
    find: (classOrId) => byName.get(classOrId) ?? byName.get(classOrId.toLowerCase()),
    concrete: (type) => concrete.get(type.class) ?? [],
  };
}

/**
 * Gets a content type or interface by class name or type ID; `path` is the parameter or member that names it. Errors: unknown_type,
 * with what may have been meant.
 */
export function getType(catalog: Catalog, name: string, path: string): ContentType {
  const type = catalog.find(name);
  if (type) return type;
  throw unknownType(name, path, classNames(catalog));
}

/** Lists the class names of all content types and interfaces. */
export const classNames = ({ types, interfaces }: Catalog): string[] => [
  ...types.keys(),
  ...interfaces.keys(),
];

/** Former classes and their type IDs first: the loader has refused any that is also a present one of another type. */
function namesOf({ class: className, id, formerClasses }: ContentType): string[] {
  return [...formerClasses.flatMap((former) => [former, typeIdOf(former)]), className, id];
}

function byClass(contentTypes: readonly ContentType[]): ReadonlyMap<string, ContentType> {
  return new Map(contentTypes.map((type) => [type.class, type]));
}

function concreteClasses(type: ContentType, types: ReadonlyMap<string, ContentType>): string[] {
  if (type.kind === 'object') return [type.class];
  const implementers = [...types.values()].filter((other) => other.interfaces.includes(type.class));
  return implementers.map((implementer) => implementer.class);
}

/** Returns the type ID of a class whose SDL gives none: the UUID version 5 of the class name in the URL namespace. */
export const typeIdOf = (className: string): string => v5(className, v5.URL);
