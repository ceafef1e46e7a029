/**
 * Builds a catalog from content types: finds them by class name and type ID, former ones too, and knows which implement an interface.
 */
import type { Catalog, ContentType } from './content-type.ts';
import { typeIdOf } from './type-id.ts';

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
