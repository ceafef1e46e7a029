/**
 * The catalog as the database knows it: a number for each class name, and the indexes kept for each type.
 *
 * Both sides of a thread boundary make it from the same plain data, so that they agree on every name.
 */
import type { IndexedPath } from '../../../model/field-path.ts';
import { type FieldIndex, indexKey, toFieldIndex } from './field-indexes.ts';

/** A content type before the database has given it a number; fit to be sent to a thread. */
export interface TypeToStore {
  readonly class: string;
  readonly indexes: readonly IndexedPath[];
}

/** A content type in the database. `number` stands for its class name in rows and in SQL; without assets it may be 0. */
export interface StoredType {
  readonly class: string;
  readonly number: number;
  /** By `indexKey` of their paths. */
  readonly indexes: ReadonlyMap<string, FieldIndex>;
}

/** The content types by class name. */
export type StoredTypes = ReadonlyMap<string, StoredType>;

/** Joins the types with the numbers that the database has for them; a class name that it does not know has no assets. */
export function createStoredTypes(
  types: readonly TypeToStore[],
  numbers: ReadonlyMap<string, number>,
): StoredTypes {
  return new Map(
    types.map(({ class: name, indexes }) => {
      const number = numbers.get(name) ?? 0;
      const made = indexes.map((path) => [indexKey(path.path), toFieldIndex(number, path)] as const);
      return [name, { class: name, number, indexes: new Map(made) }];
    }),
  );
}

/** The types with those indexes alone whose names are given. */
export function keepIndexes(types: StoredTypes, names: ReadonlySet<string>): StoredTypes {
  return new Map(
    [...types].map(([name, type]) => {
      const indexes = new Map([...type.indexes].filter(([, index]) => names.has(index.name)));
      return [name, { ...type, indexes }];
    }),
  );
}

/** The type with this class name; the catalog has it, or the caller has a bug. */
export function getType(types: StoredTypes, className: string): StoredType {
  const type = types.get(className);
  if (type === undefined) throw new Error(`No content type has the class name ${className}`);
  return type;
}
