/**
 * Reads a whole database file for a copy, in one read transaction: SQLite keeps the state at its begin for it while others write.
 *
 * The WAL cannot be emptied meanwhile, so it grows by what is written, and an erasure reports `store_busy`.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { ChangeEntry } from '../../changes.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../copy/store-copy.ts';
import { type DumpOptions, inBlocks, type StoreDump } from '../../copy/store-dump.ts';
import { changedNames, entryColumns, entryTables, toEntry } from '../changes/entry-rows.ts';
import { openConnection, type Row } from '../connection.ts';
import { checksumOf } from '../document-checksum.ts';
import { toFileError } from '../map-error.ts';
import { findFormat } from '../schema.ts';
import { selectNames, selectServedTypes } from '../store-records.ts';

const busyMs = 5_000;

/** Opens a file. Errors: bad_config, store_busy, store_failure. */
export function createSqliteDump(file: string, { leftOut }: Pick<DumpOptions, 'leftOut'>): StoreDump {
  const run = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw toFileError({ file, operation: 'dump' }, error);
    }
  };
  return run(() => {
    const database = openConnection({ file, busyMs, mustExist: true });
    try {
      database.exec('PRAGMA query_only = TRUE; BEGIN');
      const isEmpty = findFormat(database, file) === 0;
      return {
        facts: readFacts(database, isEmpty),
        async *assets() {
          if (!isEmpty) yield* guarded(run, inBlocks(selectAssets(database, leftOut), lengthOfAsset));
        },
        async *entries() {
          if (!isEmpty) yield* guarded(run, inBlocks(selectEntries(database), lengthOfEntry));
        },
        close: async () => database.close(),
      };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Yields what an iterator does, with its errors translated. */
function* guarded<Value>(run: <Result>(work: () => Result) => Result, values: Iterator<Value>) {
  for (;;) {
    const next = run(() => values.next());
    if (next.done) return;
    yield next.value;
  }
}

function readFacts(database: DatabaseSync, isEmpty: boolean): CopiedFacts {
  const served = selectServedTypes(database);
  const names = selectNames(database);
  const known = { ...(served && { served }), ...(names !== undefined && { names }) };
  const facts = { store: 'SQLite', isOneMoment: true, ...known } as const;
  if (isEmpty) return { ...facts, seq: 0 };
  const named = new Map(
    database
      .prepare('SELECT name, value FROM store_facts')
      .all()
      .map(({ name, value }) => [name, value]),
  );
  const last = database.prepare('SELECT max(seq) AS seq FROM changes').get();
  return {
    ...facts,
    seq: Number(last?.seq ?? 0),
    epoch: String(named.get('epoch')),
    loggedSinceMs: Number(named.get('logged_since')),
  };
}

function* selectAssets(database: DatabaseSync, leftOut: readonly string[]): Generator<CopiedAsset> {
  // In the order of the rows, so that the file is read from its begin to its end.
  const statement = database.prepare(
    `SELECT id, types.class, version, shape, last_change, checksum, document FROM assets NOT INDEXED
     CROSS JOIN types ON types.number = assets.type
     WHERE types.class NOT IN (SELECT value FROM json_each(?)) ORDER BY key`,
  );
  statement.setReturnArrays(true);
  for (const row of statement.iterate(JSON.stringify(leftOut)) as Iterable<unknown>) {
    const [id, type, version, shape, number, checksum, document] = row as Row;
    const text = String(document);
    yield {
      id: String(id),
      type: String(type),
      version: String(version),
      number: Number(number),
      ...(typeof shape === 'string' && { shape }),
      text,
      ...(checksumOf(text) !== checksum && { isDamaged: true }),
    };
  }
}

function* selectEntries(database: DatabaseSync): Generator<CopiedEntry> {
  const statement = database.prepare(
    `SELECT ${readableColumns}, state FROM changes CROSS JOIN ${entryTables} ORDER BY seq`,
  );
  statement.setReturnArrays(true);
  for (const found of statement.iterate() as Iterable<unknown>) {
    const row = found as Row;
    const state = row.at(-1);
    yield { ...toReadableEntry(row), ...(typeof state === 'string' && { state }) };
  }
}

/** The columns of an entry; the list of the changed names is null where its JSON is damaged. */
const readableColumns = entryColumns.replace(
  changedNames,
  `iif(json_valid(coalesce(changes.changed, '[]')), ${changedNames}, NULL)`,
);

/** Converts a row; without what it changed where the JSON of that, or of the whole state, is damaged. */
function toReadableEntry(row: Row): ChangeEntry & Pick<CopiedEntry, 'seq' | 'isDamaged'> {
  const [changed, before, state] = row.slice(-3);
  if (changed !== null && isJson(before) && isJson(state)) return toEntry(row);
  return { ...toEntry([...row.slice(0, -3), '[]', null]), isDamaged: true };
}

function isJson(text: Row[number] | undefined): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}

const lengthOfAsset = ({ text }: CopiedAsset) => text.length;

const lengthOfEntry = ({ before, state = '' }: CopiedEntry) =>
  state.length + (before ? JSON.stringify(before).length : 0);
