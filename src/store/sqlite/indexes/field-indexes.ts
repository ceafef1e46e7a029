/**
 * The indexes behind `@indexed`: what each one is made of, and its SQL; `stored-indexes.ts` creates and drops them, and
 * `value-writer.ts` fills them.
 *
 * A path without lists is a column of its type's table, with an SQL index over the column and the `_id`. A path through a list is a
 * table of its values. Both contain the keys by which values are ordered; see `query/sort.ts`. Fields that are unique together
 * share one column, with the list of their keys as JSON.
 */

import { createHash } from 'node:crypto';
import type { Asset, ContentType, UnloggedParts } from '../../../model/content-type.ts';
import {
  conditionalKeysOf,
  type FieldPath,
  indexedPaths,
  joinedKeys,
  type KeyPaths,
  keyName,
} from '../../../model/field-path.ts';
import type { BoundValue } from '../../../query/ast.ts';
import { type Condition, readCondition, writeConditionalKey } from '../../../query/conditions.ts';
import { familyOf } from '../../../query/operators.ts';
import { findOrderKeys, type OrderKey, orderKeyVersion, orderRuleOf } from '../../../query/sort.ts';
import { findKeyValues, type KeyValues, writeKey } from '../../../query/unique-values.ts';
import { toWordIndex, type WordIndex } from '../words/word-indexes.ts';

/** What an index is made of: one path, or those of fields that are unique together. */
interface IndexDefinition {
  readonly paths: KeyPaths;
  readonly unique: boolean;
  /** Whether its references keep what they name from being deleted; not recorded with the index. */
  readonly restricts?: boolean;
  /** Which assets it contains, as in `ConditionalKey`; absent means all. Searches do not use an index that has not all. */
  readonly condition?: string | undefined;
}

export const listIndexDefinitions = (
  type: Pick<ContentType, 'fields' | 'keys' | 'conditionalKeys'>,
): IndexDefinition[] => [
  ...indexedPaths(type.fields).map(({ path, ...index }) => ({ paths: [path], ...index })),
  ...joinedKeys(type).map((paths) => ({ paths, unique: true })),
  ...conditionalKeysOf(type).map((key) => ({ ...key, unique: true })),
];

/** One index, as plain data that threads share. Its name is derived from its definition, so that a changed one is a different index. */
export interface FieldIndex extends IndexDefinition {
  readonly name: string;
  /** The name of its paths, for messages. */
  readonly field: string;
  /** `list` is a table of (value, key); `value` is a column with an index. */
  readonly kind: 'value' | 'list';
  readonly table: string;
  readonly column: string;
  /** Whether it has the assets with one value, or with none, in order of `id`. */
  readonly isById: boolean;
}

export function toFieldIndex(
  type: number,
  { paths, unique, restricts = false, condition }: IndexDefinition,
): FieldIndex {
  const isList = paths.some(({ steps }) => steps.some(({ list }) => list));
  const field = keyName(paths);
  if (paths.some(({ leaf }) => familyOf(leaf) === 'opaque') || (isList && unique))
    throw new Error(`No such index can be kept: ${field}`);
  const kind = isList ? 'list' : 'value';
  const parts = paths.map(({ steps, leaf }) => [steps, orderRuleOf(leaf)]);
  const conditions = condition === undefined ? [] : [condition];
  const definition = JSON.stringify([type, parts, unique, orderKeyVersion, ...conditions]);
  const name = `${kind}_${createHash('sha256').update(definition).digest('hex').slice(0, 16)}`;
  const index = { name, field, paths, unique, restricts, kind, condition } as const;
  return isList
    ? { ...index, table: name, column: 'value', isById: false }
    : { ...index, table: tableOf(type), column: name, isById: !unique };
}

/** Writes what an index is made of as the database records it: its paths, with its condition if it has one. */
export const writeDefinition = ({ paths, condition }: IndexDefinition): string =>
  condition === undefined ? JSON.stringify(paths) : writeConditionalKey({ paths, condition });

/** Reads what `writeDefinition` wrote. */
export function readDefinition(text: string): Omit<IndexDefinition, 'unique'> {
  const recorded = JSON.parse(text) as KeyPaths | Omit<IndexDefinition, 'unique'>;
  return 'paths' in recorded ? recorded : { paths: recorded };
}

/** Returns the key of the paths of an index among those of a type. */
export function indexKey(...paths: KeyPaths): string {
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0) return writeSteps(paths);
  const known = keys.get(path);
  if (known !== undefined) return known;
  const key = writeSteps(paths);
  keys.set(path, key);
  return key;
}

/** The keys of single paths, which a search asks for again and again. */
const keys = new WeakMap<FieldPath, string>();

const writeSteps = (paths: KeyPaths) => JSON.stringify(paths.map(({ steps }) => steps));

/** Returns the distinct values that an index has of an asset; without lists there is at most one. */
export function indexedValues(index: FieldIndex, asset: Asset): OrderKey[] {
  const { paths } = index;
  if (conditionOf(index)?.holds(asset) === false) return [];
  const [path, ...others] = paths;
  if (path && others.length === 0) return [...new Set(findOrderKeys(asset, path))];
  const values = findKeyValues(asset, paths);
  return values ? [toJoinedValue(values)] : [];
}

/** Tells whether the values that an index has of an asset may change with some of its members. */
export const dependsOn = (index: FieldIndex, members: readonly string[]): boolean =>
  index.paths.some(({ steps }) => members.includes(steps[0]?.name ?? '')) ||
  conditionOf(index)?.members.some((name) => members.includes(name)) === true;

function conditionOf(index: FieldIndex): Condition | undefined {
  if (index.condition === undefined) return undefined;
  const condition = conditions.get(index) ?? readCondition(index.condition);
  conditions.set(index, condition);
  return condition;
}

/** The conditions of indexes, which every write asks for. */
const conditions = new WeakMap<FieldIndex, Condition>();

/** Returns the value that stands for those of fields that are unique together. */
export const toJoinedValue = (values: KeyValues): string => JSON.stringify(values);

/** Returns the value of an index as clients write it. */
export function toWritten({ paths }: FieldIndex, value: OrderKey): string {
  // `toJoinedValue` wrote those of several paths.
  const values = paths.length > 1 ? (JSON.parse(String(value)) as (BoundValue | null)[]) : [value];
  return writeKey({ paths, values: values.map((one) => one ?? undefined) });
}

/**
 * Returns the name of the column, or of the table of a list, that an incomplete index has, so that no statement of a process that knows
 * the index from before finds a part of its values.
 */
const incomplete = (name: string) => `new_${name}`;

/** Returns an index as it is until it is complete. */
export const toIncomplete = (index: FieldIndex): FieldIndex =>
  index.kind === 'list'
    ? { ...index, table: incomplete(index.name) }
    : { ...index, column: incomplete(index.name) };

/** Returns the statement that creates the place for the values of an index; `unused` is an empty column that nothing uses. */
export function createPlace({ kind, table, column }: FieldIndex, unused?: string): string {
  if (kind === 'list')
    return `CREATE TABLE ${table} (value, key INTEGER NOT NULL, PRIMARY KEY (value, key)) WITHOUT ROWID`;
  return unused
    ? `ALTER TABLE ${table} RENAME COLUMN ${unused} TO ${column}`
    : `ALTER TABLE ${table} ADD COLUMN ${column}`;
}

/** Returns the statement that creates the SQL index of a column, in which the `_id` puts pages in order. */
export const createValueIndex = ({ name, table, column }: Pick<FieldIndex, 'name' | 'table' | 'column'>) =>
  `CREATE INDEX ${name} ON ${table} (${column}, id)`;

/** Returns the statement that creates the SQL index of a column. */
const createColumnIndex = (index: FieldIndex) =>
  index.unique
    ? `CREATE UNIQUE INDEX ${index.name} ON ${index.table} (${index.column})`
    : createValueIndex(index);

/** Returns the statements that create an index which is complete, because there are no values; `unused` as above. */
export const createWhole = (index: FieldIndex, unused?: string): string =>
  index.kind === 'list' ? createPlace(index) : `${createPlace(index, unused)}; ${createColumnIndex(index)}`;

/** Returns the statements that complete an index: it gets its name, and a column its SQL index. */
export function completePlace(index: FieldIndex): string {
  const { kind, name, table, column } = index;
  if (kind === 'list') return `ALTER TABLE ${table} RENAME TO ${name}`;
  return `${createColumnIndex(index)}; ALTER TABLE ${table} RENAME COLUMN ${column} TO ${name}`;
}

/** An index to drop, whichever rules its keys follow. */
export interface DroppedIndex extends Pick<FieldIndex, 'kind' | 'name'> {
  readonly type: number;
  readonly isComplete: boolean;
}

/**
 * Returns the statements that drop an index. SQLite would write all rows to drop a column, so it gets the name `unused`: the statements
 * of a process that still reads it fail instead of missing values.
 */
export function dropPlace({ type, kind, name, isComplete }: DroppedIndex, unused: string): string {
  const place = isComplete ? name : incomplete(name);
  if (kind === 'list') return `DROP TABLE ${place}`;
  return `DROP INDEX IF EXISTS ${name}; ALTER TABLE ${tableOf(type)} RENAME COLUMN ${place} TO ${unused}`;
}

// The table of each content type, `type_<number>`: the key and the `_id` of each of its assets, with a column for each indexed path.
//
// `assets` has the documents. A search reads them only for conditions and orders that no column has.

/** Returns the name of the table of the type with this number. */
export const tableOf = (number: number) => `type_${number}`;

/** Returns the name of the index by `_id`, which all types have. */
export const idIndexOf = (number: number) => `${tableOf(number)}_by_id`;

/**
 * Returns the statements that create the table of a type. It is not strict: SQLite examines all rows of a strict table when it adds a
 * column.
 */
export const createTypeTable = (number: number): string => `
  CREATE TABLE ${tableOf(number)} (key INTEGER PRIMARY KEY, id TEXT NOT NULL);
  CREATE UNIQUE INDEX ${idIndexOf(number)} ON ${tableOf(number)} (id);`;

/** SQL for the rows of a type with their documents. The columns `key` and `id` of both tables are one. */
export const withDocuments = (rows: string) => `${rows} CROSS JOIN assets USING (key, id)`;

// The content types as the database stores them: a number for each class name, and the indexes of each type.
//
// The main thread and the writer thread create them from the same plain data, so that they agree on every name.

/** A content type before the database has given it a number; it can be sent to a thread. */
export interface TypeToStore {
  readonly class: string;
  /** The shape of the type; see `types/type-shape.ts`. */
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
  /** By `indexKey` of their paths; those with a condition, which no search finds, by that too. */
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
      const made = indexes.map(
        (index) => [indexKey(...index.paths) + (index.condition ?? ''), toFieldIndex(number, index)] as const,
      );
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
