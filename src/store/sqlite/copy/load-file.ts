/**
 * Fills a new database file with a copy of a store.
 *
 * The file has another name until it is complete, so a store is there whole or not at all, and one that it replaces stays until
 * then. A load into an empty place that fails, and one whose process is killed, leave that file behind, which the next load replaces.
 */

import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { transferFailed } from '../../../base/errors.ts';
import { createPrivateFile } from '../../../base/private-file.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../copy/store-copy.ts';
import type { StoreLoader } from '../../copy/store-loader.ts';
import type { LoadOptions } from '../../store-adapter.ts';
import { actionNumbers, createLogWords, toStoredId } from '../changes/log-writer.ts';
import { checksumOf } from '../document-checksum.ts';
import { createValueWriter } from '../indexes/value-writer.ts';
import { isBusy, toStoreError } from '../map-error.ts';
import { addClass, createTables } from '../schema.ts';
import { recordServedTypes } from '../serving-processes.ts';
import { insertNames } from '../store-records.ts';
import { assertReplaceable, partialOf, replaceFile } from './replace-file.ts';

/** Starts a load. Errors: transfer_failed when there is a store already, or one that is in use; store_busy, store_failure. */
export function createSqliteLoader({
  file,
  isReplacing,
}: { file: string } & Pick<LoadOptions, 'isReplacing'>): StoreLoader {
  const run = async <Result>(work: () => Result): Promise<Result> => {
    try {
      return work();
    } catch (error) {
      throw toStoreError('load', error);
    }
  };
  assertReplaceable(file, isReplacing);
  const partial = partialOf(file);
  const database = openNew(partial);
  const load = createLoadStatements(database);
  let isOpen = true;
  const close = () => {
    if (isOpen) database.close();
    isOpen = false;
  };
  return {
    keepsLog: true,
    loadAssets: (assets: readonly CopiedAsset[]) => run(() => assets.forEach(load.asset)),
    loadEntries: (entries: readonly CopiedEntry[]) => run(() => entries.forEach(load.entry)),
    finish: (facts: CopiedFacts) =>
      run(() => {
        load.facts(facts);
        database.exec('COMMIT');
        close();
        replaceFile(file);
      }),
    async close() {
      if (!isOpen) return;
      close();
      // Without a former store, what is left tells the next start that it was to be one.
      if (existsSync(file)) rmSync(partial);
    },
  };
}

/**
 * Opens the file under its first name, in the one transaction of the load. Without a journal: what a crash leaves is not used.
 *
 * Errors: transfer_failed while another process loads it.
 */
function openNew(partial: string): DatabaseSync {
  try {
    const database = lock(partial);
    if (!database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()) return start(database);
    // What an interrupted load has left. Nobody uses it, because the lock was free.
    database.close();
  } catch (error) {
    if (isBusy(error)) throw transferFailed('another command is restoring a backup here');
    // What a crash left may be damaged.
    if (!existsSync(partial)) throw toStoreError('load', error);
  }
  rmSync(partial);
  return start(lock(partial));
}

function lock(partial: string): DatabaseSync {
  createPrivateFile(partial);
  const database = new DatabaseSync(partial, { timeout: 0 });
  try {
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      PRAGMA cache_size = -64000; BEGIN EXCLUSIVE`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function start(database: DatabaseSync): DatabaseSync {
  createTables(database);
  return database;
}

/** Inserts the parts of a copy. */
interface LoadStatements {
  asset(asset: CopiedAsset): void;
  entry(entry: CopiedEntry): void;
  /** Inserts what holds for the whole store, after all assets. */
  facts(facts: CopiedFacts): void;
}

/** Prepares the statements. */
function createLoadStatements(database: DatabaseSync): LoadStatements {
  const words = createLogWords(database);
  const values = createValueWriter(database);
  const numberOf = createTypeNumbers(database);
  const insertAsset = database.prepare(
    'INSERT INTO assets (id, type, version, shape, last_change, checksum, document) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertEntry = database.prepare(
    `INSERT INTO changes
       (seq, asset, number, type, action, at, actor, run, id, previous, request, changed, before, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    asset({ id, type, version, number, shape = null, text, isDamaged }) {
      const ofType = numberOf(type);
      // The checksum of another text, so that damage is still found.
      const checksum = isDamaged ? checksumOf(`damaged ${text}`) : checksumOf(text);
      const row = insertAsset.run(id, ofType, version, shape, number, checksum, text);
      values.insert({ type: ofType, key: Number(row.lastInsertRowid), id }, noAsset);
    },
    entry({ seq, asset, number, type, action, atMs, by, run, ...entry }) {
      const { id, previousVersion = null, requestId = null, changed, before, state = null } = entry;
      const names = changed.length > 0 ? words.numbersOf(JSON.stringify(changed)) : null;
      const who = [atMs, words.actorNumber(by), run === undefined ? null : words.nameNumber(run)] as const;
      const what = [id, previousVersion, requestId, names, before ? JSON.stringify(before) : null] as const;
      const key = [seq, toStoredId(asset), number] as const;
      insertEntry.run(...key, numberOf(type), actionNumbers[action], ...who, ...what, state);
    },
    facts({ loggedSinceMs, served, names }) {
      // Other revisions than those of before, because the epoch is another one.
      database.exec(`UPDATE types SET revision = 1,
        total = (SELECT count(*) FROM assets WHERE assets.type = types.number)`);
      if (loggedSinceMs !== undefined) {
        database.prepare("UPDATE store_facts SET value = ? WHERE name = 'logged_since'").run(loggedSinceMs);
      }
      if (names !== undefined) insertNames(database, names);
      if (served) recordServedTypes(database, served);
    },
  };
}

/** A new file has no indexes yet, so nothing asks for the values of an asset. */
const noAsset = () => {
  throw new Error('A file that is being loaded has no indexes');
};

/** Returns a function that finds the number of a class name, and assigns one to a new name. */
function createTypeNumbers(database: DatabaseSync): (className: string) => number {
  const numbers = new Map<string, number>();
  return (className) => {
    const known = numbers.get(className) ?? addClass(database, className);
    numbers.set(className, known);
    return known;
  };
}

// The records that a copy has read, in a temporary database: SQLite keeps it in memory as long as it is small, and in a file without a
// name otherwise.

/** What has been read. */
interface SeenRecords {
  /** Adds an asset by its `_id`, or an entry by its `seq`. Returns whether it is new. */
  add(record: string | number): boolean;
  has(record: string | number): boolean;
  count(): number;
  close(): void;
}

/** Creates an empty one. */
export function createSeenRecords(): SeenRecords {
  const database = new DatabaseSync('');
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000;
    CREATE TABLE seen (record ANY PRIMARY KEY) STRICT, WITHOUT ROWID; BEGIN`);
  const add = database.prepare('INSERT OR IGNORE INTO seen VALUES (?)');
  const find = database.prepare('SELECT 1 FROM seen WHERE record = ?');
  let count = 0;
  return {
    add(record) {
      const isNew = add.run(record).changes === 1;
      if (isNew) count++;
      return isNew;
    },
    has: (record) => find.get(record) !== undefined,
    count: () => count,
    close: () => database.close(),
  };
}
