/**
 * The content types as the database stores them: a number for each class name, and the indexes of each type.
 *
 * The main thread and the writer thread create them from the same plain data, so that they agree on every name.
 */
import type { UnloggedParts } from '../../../model/content-type.ts';
import type { FieldPath } from '../../../model/field-path.ts';
import { toWordIndex, type WordIndex } from '../words/word-indexes.ts';
import { type FieldIndex, type IndexDefinition, indexKey, toFieldIndex } from './field-indexes.ts';

/** A content type before the database has given it a number; it can be sent to a thread. */
export interface TypeToStore {
  readonly class: string;
  /** The shape of the type; see `model/types/type-shape.ts`. */
  readonly shape?: string;
  /** What the change log leaves out; absent means nothing. */
  readonly unlogged?: UnloggedParts | undefined;
  readonly indexes: readonly IndexDefinition[];
  /** The paths whose words are indexed. */
  readonly searchable?: readonly FieldPath[];
}

/** A content type in the database. `number` replaces its class name in rows and in SQL; it may be 0 for a type without assets. */
export interface StoredType {
  readonly class: string;
  readonly number: number;
  readonly shape: string | null;
  readonly unlogged: UnloggedParts | undefined;
  /** By `indexKey` of their paths. */
  readonly indexes: ReadonlyMap<string, FieldIndex>;
  /** The word indexes, by `indexKey` of their paths. */
  readonly words: ReadonlyMap<string, WordIndex>;
}

/** The content types by class name. */
export type StoredTypes = ReadonlyMap<string, StoredType>;

/** Adds the database's numbers to the types. A class name that the database does not know has no assets and gets 0. */
export function createStoredTypes(
  types: readonly TypeToStore[],
  numbers: ReadonlyMap<string, number>,
): StoredTypes {
  return new Map(
    types.map(({ class: name, shape = null, unlogged, indexes, searchable = [] }) => {
      const number = numbers.get(name) ?? 0;
      const made = indexes.map((index) => [indexKey(...index.paths), toFieldIndex(number, index)] as const);
      const words = searchable.map((path) => [indexKey(path), toWordIndex(number, path)] as const);
      const own = { indexes: new Map(made), words: new Map(words) };
      return [name, { class: name, number, shape, unlogged, ...own }];
    }),
  );
}

export function keepIndexes(types: StoredTypes, names: ReadonlySet<string>): StoredTypes {
  return new Map(
    [...types].map(([name, type]) => {
      const indexes = new Map([...type.indexes].filter(([, index]) => names.has(index.name)));
      const words = new Map([...type.words].filter(([, index]) => names.has(index.name)));
      return [name, { ...type, indexes, words }];
    }),
  );
}

/** Returns the type with this class name; throws when the catalog does not have it, which is a bug of the caller. */
export function getType(types: StoredTypes, className: string): StoredType {
  const type = types.get(className);
  if (type === undefined) throw new Error(`No content type has the class name ${className}`);
  return type;
}
