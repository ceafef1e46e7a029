/**
 * Lists, creates and drops the indexes for `@indexed`, which the table `field_indexes` records; `index-filling.ts` fills them.
 *
 * Each change runs in its own transaction, so that another process which opens the file at the same time sees all of it or
 * nothing. The time to create a unique index grows with its type, so this code runs on the writer thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import { orderKeyVersion } from '../../../query/sort.ts';
import { createWordIndex, dropWordIndex } from '../words/stored-words.ts';
import { isWordIndex, type WordIndex } from '../words/word-indexes.ts';
import { inTransaction } from '../writes/transaction.ts';
import type { StoredType, StoredTypes } from './field-indexes.ts';
import {
  createPlace,
  createWhole,
  type DroppedIndex,
  dropPlace,
  type FieldIndex,
  tableOf,
  toIncomplete,
  writeDefinition,
} from './field-indexes.ts';
import { dropStaging, fill, setFilled, stagingOf } from './index-filling.ts';

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

/**
 * Creates indexes of one type within the transaction of the caller, and begins to fill them for `maxMs`; those that keep a field unique
 * are complete with it. Returns those that were missing. Errors: bad_config.
 */
export function makeIndexesOfType(
  database: DatabaseSync,
  needed: readonly NeededIndex[],
  maxMs?: number,
): NeededIndex[] {
  const add = database.prepare(
    `INSERT INTO field_indexes (name, kind, class, field, paths, is_unique, keys, filled) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const missing = needed.filter(({ type, index }) => {
    const [kind, isUnique] = isWordIndex(index) ? ['words', 0] : [index.kind, Number(index.unique)];
    const paths = isWordIndex(index) ? JSON.stringify([index.path]) : writeDefinition(index);
    const { changes } = add.run(
      index.name,
      kind,
      type.class,
      fieldOf(index),
      paths,
      isUnique,
      orderKeyVersion,
      isWordIndex(index) ? null : 0,
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
  if (indexes.length > 0) createFieldIndexes(database, { type: first.type, indexes, maxMs });
  return missing;
}

/**
 * Creates indexes of one type, and fills them for `maxMs`, or whole if one keeps a field unique. Without assets they are complete at once:
 * SQLite examines its whole schema when a column is renamed, and a new store has more than a hundred.
 */
function createFieldIndexes(
  database: DatabaseSync,
  { type, indexes, maxMs }: { type: StoredType; indexes: readonly FieldIndex[]; maxMs: number | undefined },
): void {
  const unusedFor = ({ kind }: FieldIndex) => (kind === 'value' ? takeUnused(database, type) : undefined);
  if (!database.prepare(`SELECT 1 FROM ${tableOf(type.number)} LIMIT 1`).get()) {
    for (const index of indexes) {
      database.exec(createWhole(index, unusedFor(index)));
      setFilled(database, index.name, null);
    }
    return;
  }
  const incomplete = indexes.map(toIncomplete);
  for (const index of incomplete) database.exec(createPlace(index, unusedFor(index)));
  const filling = { type: type.number, class: type.class, indexes: incomplete, filled: 0 };
  fill(database, filling, indexes.some(({ unique }) => unique) ? Number.POSITIVE_INFINITY : maxMs);
}

/** Returns an empty column of a type that nothing uses, and removes its record. */
function takeUnused(database: DatabaseSync, { class: className }: StoredType): string | undefined {
  const found = database
    .prepare(
      `DELETE FROM field_indexes WHERE name = (
         SELECT name FROM field_indexes WHERE kind = 'unused' AND class = ? AND filled IS NULL LIMIT 1
       ) RETURNING name`,
    )
    .get(className);
  return found && String(found.name);
}

/** Drops the indexes that are not needed. Asks `isNeeded` again under the write lock, because the answer may have changed. */
export function dropIndexes(database: DatabaseSync, isNeeded: (name: string) => boolean): IndexChange[] {
  const rows = database
    .prepare(
      `SELECT name, kind, class, field, number, filled FROM field_indexes JOIN types USING (class)
       WHERE kind IN ('value', 'list', 'words')`,
    )
    .all();
  return rows.flatMap(({ name: found, kind, class: type, field, number, filled }) => {
    const [name, startMs] = [String(found), performance.now()];
    if (isNeeded(name)) return [];
    const dropped = {
      name,
      type: Number(number),
      kind: kind === 'list' ? 'list' : 'value',
      isComplete: filled === null,
    } as const;
    const isDropped = inTransaction(
      { database },
      () =>
        !isNeeded(name) && (kind === 'words' ? dropWords(database, name) : dropFieldIndex(database, dropped)),
    );
    const described = { name, type: String(type), field: String(field), startMs };
    return isDropped ? [toChange(database, 'dropped', described)] : [];
  });
}

function dropFieldIndex(database: DatabaseSync, index: DroppedIndex): boolean {
  const forget =
    index.kind === 'list'
      ? 'DELETE FROM field_indexes WHERE name = ? RETURNING name'
      : `UPDATE field_indexes SET kind = 'unused', name = 'unused_' || lower(hex(randomblob(8))), filled = 0
         WHERE name = ? RETURNING name`;
  const unused = database.prepare(forget).get(index.name)?.name;
  if (unused === undefined) return false;
  if (!index.isComplete) dropStaging(database, stagingOf(index.name));
  database.exec(dropPlace(index, String(unused)));
  return true;
}

function dropWords(database: DatabaseSync, name: string): boolean {
  if (database.prepare('DELETE FROM field_indexes WHERE name = ?').run(name).changes === 0) return false;
  dropWordIndex(database, name);
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
  field: fieldOf(index),
});

const fieldOf = (index: NeededIndex['index']) => (isWordIndex(index) ? index.path.text : index.field);

function toChange(
  database: DatabaseSync,
  change: IndexChange['change'],
  { name, type, field, startMs }: DescribedIndex & { startMs: number },
): IndexChange {
  const row = database.prepare('SELECT total FROM types WHERE class = ?').get(type);
  const ms = Math.round(performance.now() - startMs);
  return { change, index: name, type, field, assets: Number(row?.total ?? 0), ms };
}
