/**
 * The indexes behind `@indexed`: what each one is made of, and its SQL; `stored-indexes.ts` creates and drops them, and
 * `value-writer.ts` fills them.
 *
 * A path without lists is a column of its type's table, with an SQL index over the column and the `_id`. A path through a list is a
 * table of its values. Both contain the keys by which values are ordered; see `query/order-keys.ts`.
 */
import { createHash } from 'node:crypto';
import type { Asset } from '../../../model/content-type.ts';
import type { FieldPath, IndexedPath } from '../../../model/field-path.ts';
import { familyOf } from '../../../query/operators.ts';
import { findOrderKeys, type OrderKey, orderKeyVersion, orderRuleOf } from '../../../query/order-keys.ts';
import { tableOf } from './type-tables.ts';

/** One index. Its name is derived from its definition, so that a changed definition is a different index. */
export interface FieldIndex {
  readonly name: string;
  readonly path: FieldPath;
  readonly unique: boolean;
  /** `list` is a table of (value, key); `value` is a column with an index. */
  readonly kind: 'value' | 'list';
  /** The table with the values. */
  readonly table: string;
  /** Its column with the values. */
  readonly column: string;
}

/** Creates the index definition for a path of the type with this number. */
export function toFieldIndex(type: number, { path, unique }: IndexedPath): FieldIndex {
  const isList = path.steps.some(({ list }) => list);
  if (familyOf(path.leaf) === 'opaque' || (isList && unique))
    throw new Error(`No such index can be kept: ${path.text}`);
  const kind = isList ? 'list' : 'value';
  const definition = JSON.stringify([type, path.steps, orderRuleOf(path.leaf), unique, orderKeyVersion]);
  const name = `${kind}_${createHash('sha256').update(definition).digest('hex').slice(0, 16)}`;
  return isList
    ? { name, path, unique, kind, table: name, column: 'value' }
    : { name, path, unique, kind, table: tableOf(type), column: name };
}

/** Returns the key of a path in the indexes of a type. */
export const indexKey = ({ steps }: FieldPath) => JSON.stringify(steps);

/** Returns the distinct values that an index has of an asset; without lists there is at most one. */
export const indexedValues = ({ path }: FieldIndex, asset: Asset): OrderKey[] => [
  ...new Set(findOrderKeys(asset, path)),
];

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

/** Returns the statement that creates the place for the values of an incomplete index; `unused` is an empty column that nothing uses. */
export function createPlace({ kind, table, column }: FieldIndex, unused?: string): string {
  if (kind === 'list')
    return `CREATE TABLE ${table} (value, key INTEGER NOT NULL, PRIMARY KEY (value, key)) WITHOUT ROWID`;
  return unused
    ? `ALTER TABLE ${table} RENAME COLUMN ${unused} TO ${column}`
    : `ALTER TABLE ${table} ADD COLUMN ${column}`;
}

/** Returns the statements that complete an index: it gets its name, and a column its SQL index, in which the `_id` puts pages in order. */
export function completePlace({ kind, name, table, column, unique }: FieldIndex): string {
  if (kind === 'list') return `ALTER TABLE ${table} RENAME TO ${name}`;
  const create = unique
    ? `CREATE UNIQUE INDEX ${name} ON ${table} (${column})`
    : `CREATE INDEX ${name} ON ${table} (${column}, id)`;
  return `${create}; ALTER TABLE ${table} RENAME COLUMN ${column} TO ${name}`;
}

/** An index to drop, whichever rules its keys follow. */
export interface DroppedIndex extends Pick<FieldIndex, 'kind' | 'name'> {
  /** The number of its type. */
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
