/**
 * The SQLite file beside the file of a mirror: its assets, and up to where each feed was read.
 */
import { DatabaseSync } from 'node:sqlite';
import { transferFailed } from '../../base/errors.ts';
import { createPrivateFile } from '../../base/private-file.ts';
import type { Asset } from '../../model/content-type.ts';
import {
  assertSameTerms,
  type FeedState,
  type IdRange,
  type MirrorTerms,
  printTerms,
} from './mirror-target.ts';

/** The records of a file. Changes are made within `transact`. */
export interface FileRecords {
  transact(work: () => void): void;
  stateOf(feed: string): FeedState | undefined;
  setState(feed: string, state: FeedState): void;
  /** The state of the written file; absent when it does not have all changes. */
  file(): string | undefined;
  setFile(state: string | undefined): void;
  find(id: string): { readonly feed: string; readonly text: string } | undefined;
  put(asset: Asset, feed: string): void;
  /** Returns whether there was such an asset. */
  remove(id: string): boolean;
  /** The `_id`s of a feed in a range. */
  listRange(feed: string, range: IdRange): readonly string[];
  /** The texts of all assets, by feed and `_id`. */
  texts(): Iterable<string>;
  close(): void;
}

/** Marks the file as that of a mirror, with the number of its format. */
const applicationId = 0x434d_6972;
const format = 1;

const schema = `
  CREATE TABLE mirror (source TEXT NOT NULL, terms TEXT NOT NULL, file TEXT);
  CREATE TABLE feeds (name TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE assets (id TEXT PRIMARY KEY, feed TEXT NOT NULL, text TEXT NOT NULL);
  CREATE INDEX by_feed ON assets (feed, id);`;

/** Opens the records and locks them until `close`. Errors: transfer_failed. */
export function openFileRecords(
  path: string,
  { name, terms, isReplacing }: { name: string; terms: MirrorTerms; isReplacing: boolean },
): FileRecords {
  const database = lock(path, name);
  try {
    if (isReplacing && !isEmpty(database)) clear(database, path);
    prepare(database, { path, name, terms });
  } catch (error) {
    database.close();
    throw error;
  }

  const statements = {
    state: database.prepare('SELECT state FROM feeds WHERE name = ?'),
    setState: database.prepare('INSERT OR REPLACE INTO feeds VALUES (?, ?)'),
    file: database.prepare('SELECT file FROM mirror'),
    setFile: database.prepare('UPDATE mirror SET file = ?'),
    find: database.prepare('SELECT feed, text FROM assets WHERE id = ?'),
    put: database.prepare('INSERT OR REPLACE INTO assets (id, feed, text) VALUES (?, ?, ?)'),
    remove: database.prepare('DELETE FROM assets WHERE id = ?'),
    range: database.prepare(
      'SELECT id FROM assets WHERE feed = ?1 AND id > ?2 AND (?3 IS NULL OR id <= ?3) ORDER BY id',
    ),
    texts: database.prepare('SELECT text FROM assets ORDER BY feed, id'),
  };
  return {
    transact: (work) => transact(database, work),
    stateOf(feed) {
      const row = statements.state.get(feed);
      // Written by `setState`.
      return row && (JSON.parse(String(row.state)) as FeedState);
    },
    setState: (feed, state) => void statements.setState.run(feed, JSON.stringify(state)),
    file() {
      const state = statements.file.get()?.file;
      return typeof state === 'string' ? state : undefined;
    },
    setFile: (state) => void statements.setFile.run(state ?? null),
    find(id) {
      const row = statements.find.get(id);
      return row && { feed: String(row.feed), text: String(row.text) };
    },
    put: (asset, feed) => void statements.put.run(asset._id, feed, JSON.stringify(asset)),
    remove: (id) => Number(statements.remove.run(id).changes) > 0,
    listRange: (feed, { after = '', upTo }) =>
      statements.range.all(feed, after, upTo ?? null).map(({ id }) => String(id)),
    *texts() {
      for (const { text } of statements.texts.iterate()) yield String(text);
    },
    close: () => database.close(),
  };
}

/** Opens and locks the file, which may be new. Errors: transfer_failed. */
function lock(path: string, name: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    createPrivateFile(path);
    database = new DatabaseSync(path);
    // Removed content leaves nothing in the file.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    return database;
  } catch (error) {
    database?.close();
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    if (code === 5) throw transferFailed(`another mirror fills ${name}: a process has locked ${path}`);
    if (code === 26) throw transferFailed(notOurs(path));
    const reason = error instanceof Error ? error.message : String(error);
    throw transferFailed(`${path} cannot be opened: ${reason}`, error);
  }
}

/** Creates the tables of a new file, or checks those of another run. Errors: transfer_failed. */
function prepare(
  database: DatabaseSync,
  { path, name, terms }: { path: string; name: string; terms: MirrorTerms },
): void {
  if (isEmpty(database)) {
    transact(database, () => {
      database.exec(`${schema} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${format}`);
      database.prepare('INSERT INTO mirror VALUES (?, ?, NULL)').run(terms.source, printTerms(terms));
    });
    return;
  }
  assertMirror(database, path);
  const version = database.prepare('PRAGMA user_version').get()?.user_version;
  if (version !== format)
    throw transferFailed(`${path} was written by another version of Colophon; --replace begins it again`);
  const row = database.prepare('SELECT source, terms FROM mirror').get();
  assertSameTerms(name, { source: String(row?.source), terms: String(row?.terms) }, terms);
}

/** Errors: transfer_failed when it is a database of something else. */
function assertMirror(database: DatabaseSync, path: string): void {
  if (database.prepare('PRAGMA application_id').get()?.application_id === applicationId) return;
  throw transferFailed(notOurs(path));
}

const notOurs = (path: string) =>
  `${path} is not the file of a mirror. Move it away, or choose another target`;

/** Removes all tables, so that the mirror begins again. Errors: transfer_failed. */
function clear(database: DatabaseSync, path: string): void {
  assertMirror(database, path);
  transact(database, () => {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) database.exec(`DROP TABLE "${name}"`);
  });
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

function transact(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    // Some errors, such as a full disk, have already rolled back the transaction.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
