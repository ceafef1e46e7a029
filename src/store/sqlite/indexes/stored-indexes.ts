/**
 * Lists, creates and drops the indexes for `@indexed`, which the table `field_indexes` records.
 *
 * Each change runs in its own transaction, so that another process which opens the file at the same time sees all of it or
 * nothing. The time to create an index grows with its type, so this code runs on the writer thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import { badConfig } from '../../../base/errors.ts';
import { isUniqueViolation } from '../map-error.ts';
import { createWordIndex, dropWordIndex } from '../words/stored-words.ts';
import { isWordIndex, type WordIndex } from '../words/word-indexes.ts';
import { inTransaction } from '../writes/transaction.ts';
import type { FieldIndex } from './field-indexes.ts';
import type { StoredType, StoredTypes } from './stored-types.ts';

/** The creation or removal of one index, for the log. */
export interface IndexChange {
  readonly change: 'created' | 'dropped';
  readonly index: string;
  readonly type: string;
  readonly field: string;
  /** How many assets the type has. */
  readonly assets: number;
  readonly ms: number;
}

/** An index that a type needs. */
export interface NeededIndex {
  readonly type: StoredType;
  readonly index: FieldIndex | WordIndex;
}

/** Lists the indexes that the types need, by name. */
export function neededIndexes(types: StoredTypes): Map<string, NeededIndex> {
  return new Map(
    [...types.values()].flatMap((type) =>
      [...type.indexes.values(), ...type.words.values()].map(
        (index) => [index.name, { type, index }] as const,
      ),
    ),
  );
}

/** Lists the names of the indexes that the database has. */
export function listIndexNames(database: DatabaseSync): Set<string> {
  const rows = database.prepare('SELECT name FROM field_indexes').all();
  return new Set(rows.map(({ name }) => String(name)));
}

/**
 * Creates the missing indexes. `report` runs with each of them, so that the record of this process does not expire meanwhile.
 *
 * Errors: bad_config when values of a unique field repeat.
 */
export function makeIndexes(
  database: DatabaseSync,
  needed: ReadonlyMap<string, NeededIndex>,
  report: () => void = () => {},
): IndexChange[] {
  const known = listIndexNames(database);
  return [...needed].flatMap(([name, index]) => {
    if (known.has(name)) return [];
    const startMs = performance.now();
    const isMade = inTransaction({ database }, () => {
      const isMissing = makeIndex(database, index);
      report();
      return isMissing;
    });
    return isMade ? [toChange(database, 'created', { ...describe(index), startMs })] : [];
  });
}

/** Creates an index within the transaction of the caller; returns whether it was missing. Errors: bad_config. */
export function makeIndex(database: DatabaseSync, needed: NeededIndex): boolean {
  const { type, index } = needed;
  const add = database.prepare(
    'INSERT INTO field_indexes (name, kind, class, field) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const kind = isWordIndex(index) ? 'words' : index.kind;
  if (add.run(index.name, kind, type.class, index.path.text).changes === 0) return false;
  if (isWordIndex(index)) {
    createWordIndex(database, index);
    return true;
  }
  try {
    for (const statement of index.create) database.exec(statement);
    return true;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const path = `${type.class} ${index.path.text}`;
    throw badConfig([{ path, message: describeDuplicates(database, { type, index }) }]);
  }
}

/** Drops the indexes that are not needed. Asks `isNeeded` again under the write lock, because the answer may have changed. */
export function dropIndexes(database: DatabaseSync, isNeeded: (name: string) => boolean): IndexChange[] {
  const rows = database.prepare('SELECT name, kind, class, field FROM field_indexes').all();
  return rows.flatMap((row) => {
    const [name, startMs] = [String(row.name), performance.now()];
    if (isNeeded(name)) return [];
    const isDropped = inTransaction(
      { database },
      () => !isNeeded(name) && dropIndex(database, name, row.kind),
    );
    const described = { name, type: String(row.class), field: String(row.field), startMs };
    return isDropped ? [toChange(database, 'dropped', described)] : [];
  });
}

function dropIndex(database: DatabaseSync, name: string, kind: unknown): boolean {
  if (database.prepare('DELETE FROM field_indexes WHERE name = ?').run(name).changes === 0) return false;
  if (kind === 'words') {
    dropWordIndex(database, name);
    return true;
  }
  const triggers = ['insert', 'update', 'delete'].map((event) => `DROP TRIGGER ${name}_${event};`);
  database.exec(kind === 'list' ? `${triggers.join('')} DROP TABLE ${name}` : `DROP INDEX ${name}`);
  return true;
}

interface DescribedIndex {
  readonly name: string;
  readonly type: string;
  readonly field: string;
}

const describe = ({ type, index }: NeededIndex): DescribedIndex => ({
  name: index.name,
  type: type.class,
  field: index.path.text,
});

function toChange(
  database: DatabaseSync,
  change: IndexChange['change'],
  { name, type, field, startMs }: DescribedIndex & { startMs: number },
): IndexChange {
  const row = database.prepare('SELECT total FROM types WHERE class = ?').get(type);
  const ms = Math.round(performance.now() - startMs);
  return { change, index: name, type, field, assets: Number(row?.total ?? 0), ms };
}

function describeDuplicates(
  database: DatabaseSync,
  { type: { number }, index: { expression } }: { type: StoredType; index: FieldIndex },
): string {
  const found = database
    .prepare(
      `SELECT ${expression} AS value, count(*) AS n FROM assets WHERE type = ${number} AND ${expression} IS NOT NULL
       GROUP BY 1 HAVING n > 1 LIMIT 1`,
    )
    .get();
  return `cannot become unique: ${found?.n} assets have ${JSON.stringify(found?.value)}`;
}
