/**
 * Appends entries to the change log. The caller opens the transaction, in which it also changes the asset.
 */

import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../../base/request-origin.ts';
import { type ChangeAction, type ChangeOrigin, entriesPerState } from '../../changes.ts';

/** An origin with the numbers of its words. */
export interface StoredOrigin {
  readonly atMs: number;
  readonly actor: number;
  readonly run: number | null;
  readonly requestId: string | null;
}

/** An entry to append. */
export interface NewEntry {
  readonly origin: StoredOrigin;
  readonly id: string;
  /** The `_id` of the asset. */
  readonly asset: string;
  readonly number: number;
  readonly type: number;
  readonly action: ChangeAction;
  readonly previous?: string | undefined;
  /** The JSON list of the names of changed fields; absent when there are none. */
  readonly changed?: string | undefined;
  /** JSON text of the former values, without secret fields. */
  readonly before?: string | undefined;
  /** Returns the JSON text of the asset after the change, without secret fields. Absent when there is no asset. */
  readonly state?: () => string;
}

export type LogWriter = ReturnType<typeof createLogWriter>;

/** Creates the writer of one connection. */
export function createLogWriter(database: DatabaseSync) {
  const words = createLogWords(database);
  const now = database.prepare(`SELECT ${sqlNow} AS ms`);
  // `max(number)` would return a row, with NULL, for an asset without entries.
  const selectLast = database.prepare(
    'SELECT number FROM changes WHERE asset = ? ORDER BY number DESC LIMIT 1',
  );
  const insert = database.prepare(
    `INSERT INTO changes (asset, number, type, action, at, actor, run, id, previous, request, changed, before, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    /** Stores the words of an origin. A write without an origin is one of Colophon itself. */
    storeOrigin(
      { by, run, requestId, atMs }: ChangeOrigin = { by: colophon, atMs: Number(now.get()?.ms) },
    ): StoredOrigin {
      return {
        atMs,
        actor: words.actorNumber(by),
        run: run === undefined ? null : words.nameNumber(run),
        requestId: requestId ?? null,
      };
    },
    /** Returns the number of the last entry of an asset that is not stored any more, or not yet; 0 when there is none. */
    findLast: (asset: string) => Number(selectLast.get(toStoredId(asset))?.number ?? 0),
    append({ origin, id, asset, number, type, action, previous, changed, before, state }: NewEntry) {
      const names = changed === undefined ? null : words.numbersOf(changed);
      const { atMs, actor, run, requestId } = origin;
      const whole = number % entriesPerState === 0 && state ? state() : null;
      const who = [atMs, actor, run] as const;
      const what = [id, previous ?? null, requestId, names, before ?? null, whole] as const;
      insert.run(toStoredId(asset), number, type, actionNumbers[action], ...who, ...what);
    },
    /** Has to be called after each rollback. */
    forget: words.forget,
  };
}

const colophon = { kind: 'system' } as const;

// The words of the change log: names of fields and runs, and actors, which entries refer to by number. They are looked up in the write
// transaction, which inserts those that have no number yet.
//
// The numbers are cached. After a rollback, call `forget`: another process may assign the same numbers to other names.

const maxCached = 10_000;
const maxCachedCharacters = 1_000_000;

/** Finds the numbers of names and actors. */
export function createLogWords(database: DatabaseSync) {
  const cache = new LRUCache<string, number>({ max: maxCached });
  const lists = new LRUCache<string, string>({
    maxSize: maxCachedCharacters,
    sizeCalculation: (numbers, names) => names.length + numbers.length,
  });
  const selectName = database.prepare('SELECT number FROM change_names WHERE name = ?');
  const insertName = database.prepare('INSERT INTO change_names (name) VALUES (?)');
  const selectActor = database.prepare(
    'SELECT number FROM change_actors WHERE kind = ? AND id IS ? AND name IS ?',
  );
  const insertActor = database.prepare('INSERT INTO change_actors (kind, id, name) VALUES (?, ?, ?)');

  function nameNumber(name: string): number {
    const known = cache.get(name);
    if (known !== undefined) return known;
    const number = Number(selectName.get(name)?.number ?? insertName.run(name).lastInsertRowid);
    cache.set(name, number);
    return number;
  }

  /** Returns the JSON list of the numbers of names; `names` is their JSON list. */
  function numbersOf(names: string): string {
    const known = lists.get(names);
    if (known !== undefined) return known;
    // The text was made by `JSON.stringify` from a list of names.
    const numbers = JSON.stringify((JSON.parse(names) as string[]).map(nameNumber));
    lists.set(names, numbers);
    return numbers;
  }

  function actorNumber(actor: Actor): number {
    const [kind, id, name] = [actor.kind, actor.id ?? null, actor.name ?? null];
    // A name of a field or a run never begins with a bracket.
    const key = JSON.stringify([kind, id, name]);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const found = selectActor.get(kind, id, name)?.number;
    const number = Number(found ?? insertActor.run(kind, id, name).lastInsertRowid);
    cache.set(key, number);
    return number;
  }

  return {
    nameNumber,
    numbersOf,
    actorNumber,
    /** Clears the cache after a rollback. */
    forget() {
      cache.clear();
      lists.clear();
    },
  };
}

const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Converts an `_id` to the value of the column `asset`. */
export const toStoredId = (id: string): Uint8Array | string =>
  canonicalUuid.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : id;

/** An SQL expression for the column `asset` as a text, which `fromStoredId` reads. */
export const storedIdText = "iif(typeof(asset) = 'blob', 'u' || lower(hex(asset)), 't' || asset)";

/** Converts the value of `storedIdText` to the `_id`. */
export function fromStoredId(text: string): string {
  const value = text.slice(1);
  return text.startsWith('u') ? value.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : value;
}

// The tables of the change log, of the database file.
//
// `changes` has one row for each entry. `seq` is one more than the greatest one in the table, so the newest row is never
// removed. Small columns come first: reading them does not read the former values. Names of fields and runs, and actors, are
// stored once each and referred to by number. `store_facts` holds single values by name.

/**
 * The statements that create the tables.
 *
 * - `asset`: what `toStoredId` returns for its `_id`.
 * - `previous`: the version before the change. The version after it is the `id` of an entry that creates or updates.
 * - `store_facts`: `epoch` is the random name of the store's line of history; the log has an entry for every write after
 *   `logged_since`, in milliseconds since 1970.
 * - `changed`: a JSON list of numbers of names. `before` and `state`: JSON objects without secret fields.
 */
export const changeTables = `
  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY,
    asset ANY NOT NULL,
    number INTEGER NOT NULL,
    type INTEGER NOT NULL,
    action INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor INTEGER NOT NULL,
    run INTEGER,
    id TEXT NOT NULL,
    previous TEXT,
    request TEXT,
    changed TEXT,
    before TEXT,
    state TEXT
  ) STRICT;
  CREATE UNIQUE INDEX changes_by_asset ON changes (asset, number);
  CREATE INDEX changes_by_run ON changes (run) WHERE run IS NOT NULL;
  CREATE TABLE change_names (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE change_actors (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT, name TEXT) STRICT;
  CREATE INDEX change_actors_by_id ON change_actors (kind, id, name);
  CREATE TABLE store_facts (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The numbers that stand for actions in the column `action`. */
export const actionNumbers: Readonly<Record<ChangeAction, number>> = {
  create: 1,
  update: 2,
  delete: 3,
  erase: 4,
  signIn: 5,
};

/** Milliseconds since 1970, as an SQL expression. */
export const sqlNow = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Inserts the facts of a new file. */
export function insertFacts(database: DatabaseSync, epoch: string): void {
  database
    .prepare("INSERT INTO store_facts (name, value) VALUES ('epoch', ?), ('logged_since', 0)")
    .run(epoch);
}
