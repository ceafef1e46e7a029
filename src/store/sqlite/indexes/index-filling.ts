/**
 * Fills new indexes of fields with the values of the stored assets, and empties the columns of dropped ones and the staging tables of
 * complete ones, in short steps on the writer thread; other writes run between the steps.
 *
 * Writes keep the values of an index from its creation on, whether or not the filling has reached their asset. No search uses an
 * index before it is complete. `field_indexes.filled` is the greatest key that the steps have reached, null when they are done.
 */

import type { DatabaseSync } from 'node:sqlite';
import { badConfig } from '../../../base/errors.ts';
import type { Asset } from '../../../model/content-type.ts';
import type { OrderKey } from '../../../query/sort.ts';
import { repeatedValues, shownHolders } from '../../repeated-values.ts';
import type { IndexProgress } from '../../search-plan.ts';
import type { RunQuery } from '../connection.ts';
import { isUniqueViolation } from '../map-error.ts';
import { selectWordTable } from '../words/large-words.ts';
import {
  completePlace,
  createValueIndex,
  type FieldIndex,
  tableOf,
  toWritten,
  withDocuments,
} from './field-indexes.ts';
import { createValueFilling, listFieldIndexes } from './value-writer.ts';

/** How long one step may take, besides the document that it has begun to read. */
const stepMs = 20;
/** How many rows one statement examines when a column or a staging table is emptied. */
const rowsAtOnce = 1_000;

/** New indexes of one type that are filled together. */
interface Filling {
  /** The number of the type, and its class name. */
  readonly type: number;
  readonly class: string;
  readonly indexes: readonly FieldIndex[];
  /** The greatest key whose values they have. */
  readonly filled: number;
}

/** What a step has done. */
interface FillStep {
  /** Whether there was nothing to do. */
  readonly done: boolean;
  /** The names of the indexes that became complete. */
  readonly completed: readonly string[];
}

/** Fills a part of the first incomplete index, and of those of its type that are as far; or else empties a part of what is unused. */
export function fillStep(database: DatabaseSync): FillStep {
  const next = database
    .prepare(
      `SELECT number, class, filled FROM field_indexes JOIN types USING (class)
       WHERE kind IN ('value', 'list') AND filled IS NOT NULL LIMIT 1`,
    )
    .get();
  if (!next) return { done: !emptyUnused(database), completed: [] };
  const [type, filled] = [Number(next.number), Number(next.filled)];
  const recorded = listFieldIndexes(database).get(type) ?? [];
  const indexes = recorded.filter((each) => each.filled === filled).map(({ index }) => index);
  const isComplete = fill(database, { type, class: String(next.class), indexes, filled });
  return { done: false, completed: isComplete ? indexes.map(({ name }) => name) : [] };
}

/** Empties a part of a column or of a staging table that nothing uses; returns whether there was one. */
function emptyUnused(database: DatabaseSync): boolean {
  const unused = database
    .prepare(
      `SELECT name, kind, number, filled FROM field_indexes JOIN types USING (class)
       WHERE kind IN ('unused', 'staging') AND filled IS NOT NULL LIMIT 1`,
    )
    .get();
  if (!unused) return false;
  const [name, isStaging, endMs] = [
    String(unused.name),
    unused.kind === 'staging',
    performance.now() + stepMs,
  ];
  const table = isStaging ? name : tableOf(Number(unused.number));
  const last = Number(database.prepare(`SELECT max(key) AS last FROM ${table}`).get()?.last ?? 0);
  const empty = database.prepare(
    isStaging
      ? `DELETE FROM ${table} WHERE key > ? AND key <= ?`
      : `UPDATE ${table} SET ${name} = NULL WHERE key > ? AND key <= ? AND ${name} IS NOT NULL`,
  );
  let reached = Number(unused.filled);
  for (; reached < last && performance.now() < endMs; reached += rowsAtOnce)
    empty.run(reached, reached + rowsAtOnce);
  if (reached < last || !isStaging) setFilled(database, name, reached < last ? reached : null);
  else dropStaging(database, name);
  return true;
}

/** Records how far an index is filled; null means that it is complete. */
export const setFilled = (database: DatabaseSync, name: string, filled: number | null) =>
  database.prepare('UPDATE field_indexes SET filled = ? WHERE name = ?').run(filled, name);

/**
 * Fills indexes for `maxMs`, in the transaction of the caller. Returns whether they are complete.
 *
 * Errors: bad_config when values of a unique field repeat.
 */
export function fill(database: DatabaseSync, filling: Filling, maxMs = stepMs): boolean {
  const { type, indexes, filled } = filling;
  const endMs = performance.now() + maxMs;
  const add = createValueFilling(database, indexes);
  const rows = database.prepare(
    `SELECT key, document FROM ${withDocuments(tableOf(type))} WHERE key > ? ORDER BY key`,
  );
  let reached: number | undefined;
  for (const { key, document } of rows.iterate(filled)) {
    // Every stored document is an asset.
    add(Number(key), JSON.parse(String(document)) as Asset);
    if (performance.now() < endMs) continue;
    reached = Number(key);
    break;
  }
  for (const index of indexes) {
    if (reached === undefined) complete(database, filling, index);
    else if (filled === 0 && index.kind === 'value') stageIndex(database, index, reached);
    setFilled(database, index.name, reached ?? null);
  }
  return reached === undefined;
}

/** Completes an index: one that a single step has filled has no staging table. */
function complete(database: DatabaseSync, { class: className, filled }: Filling, index: FieldIndex): void {
  try {
    if (index.kind === 'value' && filled > 0) assignIndex(database, index);
    else database.exec(completePlace(index));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const path = `${className} ${index.field}`;
    throw badConfig([{ path, message: describeDuplicates(database, index) }]);
  }
}

function describeDuplicates(database: DatabaseSync, index: FieldIndex): string {
  const { table, column } = index;
  const found = database
    .prepare(
      `SELECT ${column} AS value, count(*) AS n FROM ${table} WHERE ${column} IS NOT NULL
       GROUP BY 1 HAVING n > 1 LIMIT 1`,
    )
    .get();
  const value = toWritten(index, found?.value as OrderKey);
  const holders = database
    .prepare(`SELECT id FROM ${table} WHERE ${column} = ? ORDER BY id LIMIT ${shownHolders}`)
    .all(found?.value ?? null);
  return repeatedValues({ count: Number(found?.n), value, ids: holders.map(({ id }) => String(id)) });
}

/** Tells how far the incomplete indexes of fields and of words are. */
export function readProgress(all: RunQuery): IndexProgress[] {
  const select = (sql: string) => all({ sql, params: [] });
  const ofFields = `SELECT class, field, number, filled FROM field_indexes JOIN types USING (class)
    WHERE kind IN ('value', 'list') AND filled IS NOT NULL`;
  const ofWords = `SELECT class, field, number, built FROM word_indexes JOIN field_indexes USING (name) JOIN types USING (class)
    WHERE built IS NOT NULL`;
  const selects = select(selectWordTable).length > 0 ? [ofFields, ofWords] : [ofFields];
  const unfilled = select(`${selects.join(' UNION ALL ')} ORDER BY class, field`);
  return unfilled.map(([type, field, number, filled]) => {
    const [[last] = []] = select(`SELECT max(key) FROM ${tableOf(Number(number))}`);
    return {
      type: String(type),
      field: String(field),
      filled: Math.min(1, Number(filled) / Math.max(1, Number(last))),
    };
  });
}

// The staging table of an index that is filled in steps: the values of the assets so far, with the SQL index over them.
//
// SQLite creates an index over a column in one statement, for which writers wait longer the larger the table is. An index over an empty
// table takes no time, and its entries (value, `_id`, key) are those of an index over the column. So triggers copy each value of the
// column to the staging table, and when all assets are there, `assignIndex` makes the index that of the type's table.

/** Returns the name of the staging table of the index with this name. */
export const stagingOf = (name: string) => `staged_${name}`;

const dropTrigger = (staging: string, event: string) => `DROP TRIGGER IF EXISTS ${staging}_${event};`;

/** Creates the staging table of an index, whose column has the values of the assets up to a key. */
function stageIndex(database: DatabaseSync, { name, table, column }: FieldIndex, upTo: number): void {
  const staging = stagingOf(name);
  // It may be left from an index that was dropped and is needed again.
  dropStaging(database, staging);
  database.exec(`
    CREATE TABLE ${staging} (key INTEGER PRIMARY KEY, id TEXT NOT NULL, value);
    ${createValueIndex({ name, table: staging, column: 'value' })};
    INSERT INTO ${staging} SELECT key, id, ${column} FROM ${table} WHERE key <= ${upTo};
    CREATE TRIGGER ${staging}_insert AFTER INSERT ON ${table} BEGIN
      INSERT INTO ${staging} VALUES (new.key, new.id, new.${column});
    END;
    CREATE TRIGGER ${staging}_update AFTER UPDATE OF ${column} ON ${table} BEGIN
      INSERT INTO ${staging} VALUES (new.key, new.id, new.${column})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value;
    END;
    CREATE TRIGGER ${staging}_delete AFTER DELETE ON ${table} BEGIN
      DELETE FROM ${staging} WHERE key = old.key;
    END`);
}

/**
 * Gives the column its name and makes the SQL index of the staging table that of the column. Until the staging table is dropped, only
 * its rows of deleted assets are removed.
 */
function assignIndex(database: DatabaseSync, { name, table, column }: FieldIndex): void {
  const staging = stagingOf(name);
  database.exec(`${dropTrigger(staging, 'insert')} ${dropTrigger(staging, 'update')}
    ALTER TABLE ${table} RENAME COLUMN ${column} TO ${name}`);
  // Node.js before 24.12 does not have the flag, by which SQLite refuses changes of its schema table.
  database.enableDefensive?.(false);
  try {
    database.exec('PRAGMA writable_schema = ON');
    const { changes } = database
      .prepare(`UPDATE sqlite_schema SET tbl_name = ?, sql = ? WHERE type = 'index' AND name = ?`)
      .run(table, createValueIndex({ name, table, column: name }), name);
    if (changes !== 1) throw new Error(`The index ${name} does not exist`);
  } finally {
    // Other connections read the schema again because the column was renamed, this one because of RESET.
    database.exec('PRAGMA writable_schema = RESET');
    database.enableDefensive?.(true);
  }
  database
    .prepare(
      `INSERT INTO field_indexes SELECT ?, 'staging', class, field, paths, is_unique, keys, 0 FROM field_indexes WHERE name = ?`,
    )
    .run(staging, name);
}

/** Drops a staging table, if it exists, and its record. */
export function dropStaging(database: DatabaseSync, staging: string): void {
  const triggers = ['insert', 'update', 'delete'].map((event) => dropTrigger(staging, event));
  database.exec(`${triggers.join(' ')} DROP TABLE IF EXISTS ${staging}`);
  database.prepare('DELETE FROM field_indexes WHERE name = ?').run(staging);
}
