/**
 * Lists, creates and drops the indexes for `@indexed`, which the table `field_indexes` records.
 *
 * Each change runs in its own transaction, so that another process which opens the file at the same time sees all of it or
 * nothing. The time to create an index grows with its type, so this code runs on the writer thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import { badConfig } from '../../../base/errors.ts';
import type { Asset } from '../../../model/content-type.ts';
import { orderKeyVersion } from '../../../query/order-keys.ts';
import { isUniqueViolation } from '../map-error.ts';
import { createWordIndex, dropWordIndex } from '../words/stored-words.ts';
import { isWordIndex, type WordIndex } from '../words/word-indexes.ts';
import { inTransaction } from '../writes/transaction.ts';
import { createColumnIndex, createPlace, dropStatements, type FieldIndex } from './field-indexes.ts';
import type { StoredType, StoredTypes } from './stored-types.ts';
import { tableOf, withDocuments } from './type-tables.ts';
import { createValueFilling } from './value-writer.ts';

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
 * Creates the missing indexes, those of one type together. `report` runs with each type, so that the record of this process does not
 * expire meanwhile.
 *
 * Errors: bad_config when values of a unique field repeat.
 */
export function makeIndexes(
  database: DatabaseSync,
  needed: ReadonlyMap<string, NeededIndex>,
  report: () => void = () => {},
): IndexChange[] {
  const known = listIndexNames(database);
  const missing = [...needed.values()].filter(({ index }) => !known.has(index.name));
  return [...Map.groupBy(missing, ({ type }) => type.class).values()].flatMap((ofType) => {
    const startMs = performance.now();
    const made = inTransaction({ database }, () => {
      const created = makeIndexesOfType(database, ofType);
      report();
      return created;
    });
    return made.map((one) => toChange(database, 'created', { ...describe(one), startMs }));
  });
}

/** Creates indexes of one type within the transaction of the caller; returns those that were missing. Errors: bad_config. */
export function makeIndexesOfType(database: DatabaseSync, needed: readonly NeededIndex[]): NeededIndex[] {
  const add = database.prepare(
    `INSERT INTO field_indexes (name, kind, class, field, path, is_unique, keys) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const missing = needed.filter(({ type, index }) => {
    const [kind, isUnique] = isWordIndex(index) ? ['words', 0] : [index.kind, Number(index.unique)];
    const path = JSON.stringify(index.path);
    const { changes } = add.run(
      index.name,
      kind,
      type.class,
      index.path.text,
      path,
      isUnique,
      orderKeyVersion,
    );
    return changes > 0;
  });
  const [first] = missing;
  if (!first) return [];
  const indexes: FieldIndex[] = [];
  for (const { index } of missing) {
    if (isWordIndex(index)) createWordIndex(database, index);
    else indexes.push(index);
  }
  if (indexes.length > 0) createFieldIndexes(database, first.type, indexes);
  return missing;
}

/** Creates indexes of one type, and fills them with the values of its assets. */
function createFieldIndexes(database: DatabaseSync, type: StoredType, indexes: readonly FieldIndex[]): void {
  for (const index of indexes) database.exec(createPlace(index));
  const fill = createValueFilling(database, indexes);
  const rows = database.prepare(`SELECT key, document FROM ${withDocuments(tableOf(type.number))}`);
  for (const { key, document } of rows.iterate()) {
    // Every stored document is an asset.
    fill(Number(key), JSON.parse(String(document)) as Asset);
  }
  for (const index of indexes) if (index.kind === 'value') indexColumn(database, type, index);
}

function indexColumn(database: DatabaseSync, type: StoredType, index: FieldIndex): void {
  try {
    database.exec(createColumnIndex(index));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const path = `${type.class} ${index.path.text}`;
    throw badConfig([{ path, message: describeDuplicates(database, index) }]);
  }
}

/** Drops the indexes that are not needed. Asks `isNeeded` again under the write lock, because the answer may have changed. */
export function dropIndexes(database: DatabaseSync, isNeeded: (name: string) => boolean): IndexChange[] {
  const rows = database
    .prepare('SELECT name, kind, class, field, number FROM field_indexes JOIN types USING (class)')
    .all();
  return rows.flatMap(({ name: found, kind, class: type, field, number }) => {
    const [name, startMs] = [String(found), performance.now()];
    if (isNeeded(name)) return [];
    const isDropped = inTransaction(
      { database },
      () => !isNeeded(name) && dropIndex(database, Number(number), { name, kind: String(kind) }),
    );
    const described = { name, type: String(type), field: String(field), startMs };
    return isDropped ? [toChange(database, 'dropped', described)] : [];
  });
}

function dropIndex(
  database: DatabaseSync,
  type: number,
  { name, kind }: { readonly name: string; readonly kind: string },
): boolean {
  if (database.prepare('DELETE FROM field_indexes WHERE name = ?').run(name).changes === 0) return false;
  if (kind === 'words') dropWordIndex(database, name);
  else database.exec(dropStatements(type, { name, kind: kind === 'list' ? 'list' : 'value' }));
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

function describeDuplicates(database: DatabaseSync, { table, column }: FieldIndex): string {
  const found = database
    .prepare(
      `SELECT ${column} AS value, count(*) AS n FROM ${table} WHERE ${column} IS NOT NULL
       GROUP BY 1 HAVING n > 1 LIMIT 1`,
    )
    .get();
  return `cannot become unique: ${found?.n} assets have ${JSON.stringify(found?.value)}`;
}
