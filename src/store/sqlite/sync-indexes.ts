/**
 * Makes the database keep exactly the indexes that `@indexed` asks for.
 *
 * Each change is a transaction of its own, so that another process which opens the file at the same time sees all of it or
 * nothing. An index takes as long to make as its type is large: this runs on the writer's thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import { badConfig } from '../../base/errors.ts';
import type { FieldIndex } from './field-indexes.ts';
import { isUniqueViolation } from './map-error.ts';
import type { StoredType } from './stored-types.ts';
import { inTransaction } from './transaction.ts';

/** What was done to one index, for the log. */
export interface IndexChange {
  readonly change: 'made' | 'dropped';
  readonly index: string;
  readonly type: string;
  readonly field: string;
  /** How many assets the type has. */
  readonly assets: number;
  readonly ms: number;
}

/**
 * Drops what is no longer wanted, makes what is missing. Indexes of types that are not given stay: another process may serve
 * them. Errors: bad_config when values of a unique field repeat.
 */
export function syncIndexes(database: DatabaseSync, types: readonly StoredType[]): IndexChange[] {
  const wanted = new Map(
    types.flatMap((type) =>
      [...type.indexes.values()].map((index) => [index.name, { type, index }] as const),
    ),
  );
  const countAssets = database.prepare('SELECT total FROM types WHERE class = ?');
  const known = listIndexes(database);
  const classes = new Set(types.map((type) => type.class));
  const stale = known.filter((index) => classes.has(index.class) && !wanted.has(index.name));
  for (const { name } of known) wanted.delete(name);
  const changes = [
    ...stale.flatMap((index) => dropIndex(database, index)),
    ...[...wanted.values()].flatMap(({ type, index }) => makeIndex(database, type, index)),
  ];
  return changes.map((change) => ({ ...change, assets: Number(countAssets.get(change.type)?.total) }));
}

type DoneChange = Omit<IndexChange, 'assets'>;

interface KnownIndex {
  readonly name: string;
  readonly kind: string;
  readonly class: string;
  readonly field: string;
}

function listIndexes(database: DatabaseSync): KnownIndex[] {
  const rows = database.prepare('SELECT name, kind, class, field FROM field_indexes').all();
  return rows.map((row) => ({
    name: String(row.name),
    kind: String(row.kind),
    class: String(row.class),
    field: String(row.field),
  }));
}

function dropIndex(database: DatabaseSync, { name, kind, class: type, field }: KnownIndex): DoneChange[] {
  const startMs = performance.now();
  const triggers = ['insert', 'update', 'delete'].map((event) => `DROP TRIGGER ${name}_${event};`);
  const isDropped = inTransaction({ database }, () => {
    if (database.prepare('DELETE FROM field_indexes WHERE name = ?').run(name).changes === 0) return false;
    database.exec(kind === 'list' ? `${triggers.join('')} DROP TABLE ${name}` : `DROP INDEX ${name}`);
    return true;
  });
  return isDropped ? [{ change: 'dropped', index: name, type, field, ms: elapsedMs(startMs) }] : [];
}

function makeIndex(database: DatabaseSync, type: StoredType, index: FieldIndex): DoneChange[] {
  const startMs = performance.now();
  const { name, kind, path } = index;
  const add =
    'INSERT INTO field_indexes (name, kind, class, field) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
  try {
    const isMade = inTransaction({ database }, () => {
      if (database.prepare(add).run(name, kind, type.class, path.text).changes === 0) return false;
      for (const statement of index.create) database.exec(statement);
      return true;
    });
    return isMade
      ? [{ change: 'made', index: name, type: type.class, field: path.text, ms: elapsedMs(startMs) }]
      : [];
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw badConfig([
      { path: `${type.class} ${path.text}`, message: describeRepeats(database, type, index) },
    ]);
  }
}

function describeRepeats(database: DatabaseSync, { number }: StoredType, { expression }: FieldIndex): string {
  const found = database
    .prepare(
      `SELECT ${expression} AS value, count(*) AS n FROM assets WHERE type = ${number} AND ${expression} IS NOT NULL
       GROUP BY 1 HAVING n > 1 LIMIT 1`,
    )
    .get();
  return `cannot become unique: ${found?.n} assets have ${JSON.stringify(found?.value)}`;
}

const elapsedMs = (startMs: number) => Math.round(performance.now() - startMs);
