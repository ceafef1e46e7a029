/**
 * Reads a whole database file for a copy, in one read transaction: SQLite keeps the state at its begin for it while others write.
 *
 * The WAL cannot be emptied meanwhile, so it grows by what is written, and an erasure reports `store_busy`. Of a damaged file, everything
 * is read that can be read.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { ChangeEntry } from '../../changes.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../copy/store-copy.ts';
import {
  type DumpOptions,
  inBlocks,
  type LostRecords,
  nothingLost,
  type StoreDump,
} from '../../copy/store-dump.ts';
import { fromStoredId, storedIdText } from '../changes/log-writer.ts';
import { changedNames, entryColumns, entryTables, toEntry } from '../changes/read-state.ts';
import { openConnection, type Row } from '../connection.ts';
import { checksumOf } from '../document-checksum.ts';
import { tableOf } from '../indexes/field-indexes.ts';
import { isUnreadable, toFileError } from '../map-error.ts';
import { findFormat } from '../schema.ts';
import { selectNames, selectServedTypes } from '../store-records.ts';
import { createSeenRecords } from './load-file.ts';

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
      const lost = nothingLost();
      return {
        facts: readFacts(database, { isEmpty, lost }),
        lost,
        async *assets() {
          if (!isEmpty)
            yield* guarded(
              run,
              inBlocks(selectAssets(database, { leftOut, lost: lost.assets }), lengthOfAsset),
            );
        },
        async *entries() {
          if (!isEmpty) yield* guarded(run, inBlocks(selectEntries(database, lost.entries), lengthOfEntry));
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

function readFacts(
  database: DatabaseSync,
  { isEmpty, lost }: { isEmpty: boolean; lost: LostRecords },
): CopiedFacts {
  /** Reads a part; what cannot be read is lost. */
  const read = <Part>(name: string, part: () => Part): Part | undefined => {
    try {
      return part();
    } catch (error) {
      // A text in it may be no JSON.
      if (!isUnreadable(error) && !(error instanceof SyntaxError)) throw error;
      lost.parts.push(name);
      return undefined;
    }
  };
  const served = read('the content types that were served last', () => selectServedTypes(database));
  const names = read('the former names of content types', () => selectNames(database));
  const known = { ...(served && { served }), ...(names !== undefined && { names }) };
  const facts = { store: 'SQLite', isOneMoment: true, ...known } as const;
  if (isEmpty) return { ...facts, seq: 0 };
  const log = read('when the change log began', () => readLogFacts(database));
  const [last] = lastSeq.flatMap(
    (sql) => attempt(() => [Number(database.prepare(sql).get()?.key ?? 0)]) ?? [],
  );
  return { ...facts, seq: last ?? 0, ...log };
}

function readLogFacts(database: DatabaseSync): Pick<CopiedFacts, 'epoch' | 'loggedSinceMs'> {
  const rows = database.prepare('SELECT name, value FROM store_facts').all();
  const named = new Map(rows.map(({ name, value }) => [name, value]));
  return { epoch: String(named.get('epoch')), loggedSinceMs: Number(named.get('logged_since')) };
}

const lengthOfAsset = ({ text }: CopiedAsset) => text.length;

const lengthOfEntry = ({ before, state = '' }: CopiedEntry) =>
  state.length + (before ? JSON.stringify(before).length : 0);

// Reads all assets of a file for a copy. A document has its `_id`, its class name and a checksum, so it counts more than its row where
// both differ.
//
// When a page is damaged, the indexes know of assets that the table does not show: each is looked up as a read of one asset does it, and
// is lost if that fails.

const columns = 'key, id, type, version, shape, last_change, checksum, document';
const idIndex = 'assets INDEXED BY sqlite_autoindex_assets_1';

/** Reads the assets, and adds those that cannot be read to `lost`. */
function* selectAssets(
  database: DatabaseSync,
  { leftOut, lost }: { readonly leftOut: readonly string[]; readonly lost: LostRecords['assets'] },
): Generator<CopiedAsset> {
  const classes = readClasses(database);
  const seen = createSeenRecords();
  let isDoubtful = false;
  const onDamage = () => {
    isDoubtful = true;
  };
  /** Yields an asset unless it was there before or is left out. */
  function* take(row: Row): Generator<CopiedAsset> {
    const asset = toAsset(row, classes);
    if (seen.add(asset.id) && !leftOut.includes(asset.type)) yield asset;
  }
  try {
    const scan = {
      sql: `SELECT ${columns} FROM assets NOT INDEXED WHERE key >= ?1 ORDER BY key`,
      greatest: ['SELECT max(key) AS key FROM assets', `SELECT max(key) AS key FROM ${idIndex}`],
      onDamage,
    };
    for (const row of readAround(database, scan)) yield* take(row);
    const indexed = countIndexed(database);
    if (!isDoubtful && indexed === seen.count()) return;
    const find = database.prepare(`SELECT ${columns} FROM assets NOT INDEXED WHERE key = ?`);
    find.setReturnArrays(true);
    for (const [key = null, id = null] of readKnown(database)) {
      if (seen.has(String(id)) || lost.ids.has(String(id))) continue;
      // With `setReturnArrays` a row is an array, which the declared types do not know.
      const row = attempt(() => find.get(key) as unknown as Row | undefined);
      if (row) yield* take(row);
      else if (isPrintable(id)) lost.ids.add(id);
    }
    const expected = indexed ?? attempt(() => sumTotals(database)) ?? 0;
    lost.others += Math.max(0, expected - seen.count() - lost.ids.size);
  } finally {
    seen.close();
  }
}

/** Yields keys and `_id`s: those of the index by `_id`, and if that is damaged, those of the tables of types, too. */
function* readKnown(database: DatabaseSync): Generator<Row> {
  let isDamaged = false;
  const onDamage = () => {
    isDamaged = true;
  };
  yield* readFromBothEnds(database, { select: `SELECT key, id FROM ${idIndex}`, order: 'id' }, onDamage);
  if (!isDamaged) return;
  for (const number of readClasses(database).keys()) {
    const select = `SELECT key, id FROM ${tableOf(number)} NOT INDEXED`;
    yield* readFromBothEnds(database, { select, order: 'key' }, onDamage);
  }
}

const countIndexed = (database: DatabaseSync) =>
  attempt(() => Number(database.prepare(`SELECT count(*) AS n FROM ${idIndex}`).get()?.n));

const sumTotals = (database: DatabaseSync) =>
  Number(database.prepare('SELECT sum(total) AS n FROM types').get()?.n);

/** Reads the class names by their numbers, as far as they can be read. */
function readClasses(database: DatabaseSync): ReadonlyMap<number, string> {
  const query = { select: 'SELECT number, class FROM types NOT INDEXED', order: 'number' };
  const rows = readFromBothEnds(database, query, () => {});
  return new Map([...rows].map(([number, name]) => [Number(number), String(name)]));
}

function toAsset(row: Row, classes: ReadonlyMap<number, string>): CopiedAsset {
  const [, id, type, version, shape, number, checksum, document] = row;
  const text = String(document);
  const rowFacts = { id: String(id), type: classes.get(Number(type)) ?? '' };
  const isDamaged = checksumOf(text) !== checksum;
  const own = isNamedIn(text, rowFacts) ? rowFacts : (readNames(text) ?? rowFacts);
  const isMisplaced = own.id !== rowFacts.id || own.type !== rowFacts.type;
  return {
    ...(isDamaged ? { ...rowFacts, type: rowFacts.type || own.type } : own),
    version: String(version),
    number: Number(number),
    ...(typeof shape === 'string' && { shape }),
    text,
    ...(isDamaged && { isDamaged }),
    ...(!isDamaged && isMisplaced && { isMisplaced }),
  };
}

type Names = Pick<CopiedAsset, 'id' | 'type'>;

/** Whether a document begins with the names of its row, as it does when it was written by Colophon. */
const isNamedIn = (text: string, { id, type }: Names) =>
  text.startsWith(`{"_id":${JSON.stringify(id)},"_type":${JSON.stringify(type)}`);

/** Reads the names in a document. */
function readNames(text: string): Names | undefined {
  try {
    const { _id: id, _type: type } = Object(JSON.parse(text));
    return typeof id === 'string' && typeof type === 'string' ? { id, type } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value can be an `_id`; a damaged page may have anything. */
const isPrintable = (id: unknown): id is string => typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id);

const assetIndex = 'changes INDEXED BY changes_by_asset';

/** Statements that find the last `seq`. */
const lastSeq = ['SELECT max(seq) AS key FROM changes', `SELECT max(seq) AS key FROM ${assetIndex}`];

/** Reads the entries, and adds those that cannot be read to `lost`: by the `_id`s of their assets, where these are known. */
function* selectEntries(database: DatabaseSync, lost: LostRecords['entries']): Generator<CopiedEntry> {
  const seen = createSeenRecords();
  let isDoubtful = false;
  const onDamage = () => {
    isDoubtful = true;
  };
  try {
    const sql = `SELECT ${readableColumns}, state FROM changes CROSS JOIN ${entryTables} WHERE seq >= ?1 ORDER BY seq`;
    for (const row of readAround(database, { sql, greatest: lastSeq, onDamage })) {
      const entry = toCopiedEntry(row);
      if (!entry) onDamage();
      else if (seen.add(entry.seq)) yield entry;
    }
    const indexed = attempt(() =>
      Number(database.prepare(`SELECT count(*) AS n FROM ${assetIndex}`).get()?.n),
    );
    if (!isDoubtful && indexed === seen.count()) return;
    const query = { select: `SELECT seq, ${storedIdText} FROM ${assetIndex}`, order: 'asset' };
    for (const [seq, asset] of readFromBothEnds(database, query, onDamage)) {
      if (!seen.add(Number(seq))) continue;
      lost.count++;
      lost.ids.add(fromStoredId(String(asset)));
    }
    lost.count += Math.max(0, (indexed ?? 0) - seen.count());
  } finally {
    seen.close();
  }
}

/** The columns of an entry; the list of the changed names is null where its JSON is damaged. */
const readableColumns = entryColumns.replace(
  changedNames,
  `iif(json_valid(coalesce(changes.changed, '[]')), ${changedNames}, NULL)`,
);

function toCopiedEntry(row: Row): CopiedEntry | undefined {
  const state = row.at(-1);
  const entry = toReadableEntry(row);
  return entry && { ...entry, ...(typeof state === 'string' && { state }) };
}

/**
 * Converts a row; without what it changed where the JSON of that, or of the whole state, is damaged. Returns `undefined` where another
 * column makes no sense.
 */
function toReadableEntry(row: Row): (ChangeEntry & Pick<CopiedEntry, 'seq' | 'isDamaged'>) | undefined {
  const [changed, before, state] = row.slice(-3);
  try {
    if (changed !== null && isJson(before) && isJson(state)) return toEntry(row);
    return { ...toEntry([...row.slice(0, -3), '[]', null]), isDamaged: true };
  } catch {
    return undefined;
  }
}

function isJson(text: Row[number] | undefined): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}

// Reads rows of a file that may be damaged, around what cannot be read.
//
// A scan ends where SQLite meets a damaged page. It is begun again at the next key, and the one after that, until a key lies behind the
// damage: each attempt seeks its key as a read of one row does, so that whatever such a read finds is found here as well.

interface RowQuery {
  /** Selects the rows whose key is `?1` or greater, in its order; the key is the first column. */
  readonly sql: string;
  /** Statements of which each finds the greatest key; the first that can be read counts. */
  readonly greatest: readonly string[];
  /** Is called for each part that cannot be read. */
  onDamage(): void;
}

/** How many keys without a readable row in sequence are tried before the rest is given up. */
const maxAttempts = 2_000_000;

/** Yields all rows that can be read. Rows of a damaged page may have wrong keys, or come twice. */
function* readAround(database: DatabaseSync, { sql, greatest, onDamage }: RowQuery): Generator<Row> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const last = findGreatest(database, greatest);
  let next = 0;
  for (let attempts = 0; attempts < maxAttempts && next <= last; ) {
    try {
      // With `setReturnArrays` rows are arrays, which the declared types do not know.
      for (const row of statement.iterate(next) as Iterable<unknown>) {
        const key = Number((row as Row)[0]);
        if (key >= next && key <= last) {
          next = key + 1;
          attempts = 0;
        }
        yield row as Row;
      }
      return;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (attempts === 0) onDamage();
      attempts++;
      next++;
    }
  }
}

function findGreatest(database: DatabaseSync, statements: readonly string[]): number {
  for (const sql of statements) {
    const found = attempt(() => Number(database.prepare(sql).get()?.key ?? 0));
    if (found !== undefined) return found;
  }
  return Number.MAX_SAFE_INTEGER - 1;
}

/** Yields the rows of a query from its begin and, if a page is damaged, from its end, as far as they can be read. */
function* readFromBothEnds(
  database: DatabaseSync,
  { select, order }: { readonly select: string; readonly order: string },
  onDamage: () => void,
): Generator<Row> {
  for (const direction of ['ASC', 'DESC']) {
    try {
      const statement = database.prepare(`${select} ORDER BY ${order} ${direction}`);
      statement.setReturnArrays(true);
      for (const row of statement.iterate() as Iterable<unknown>) yield row as Row;
      return;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      onDamage();
    }
  }
}

/** Returns the result of reading; `undefined` when it meets damage. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
