/**
 * Keeps a record of each process that serves the store, in the table `serving`. Runs on the writer thread.
 *
 * A record holds the SDL of its process and the names of the indexes and rules of deletion it needs. A process writes its record before it creates
 * the first index, and the transaction that drops an index reads all records again: so no process drops an index that another
 * one needs. The record of a process that was frozen for too long expires, and its indexes may be dropped. The process detects
 * this in the transaction of its next write, because the schema version has changed. The record of a process that has ended is marked
 * and kept until it expires, so that a process which is started again soon finds its indexes.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isDomainError, storeBusy } from '../../base/errors.ts';
import type { ServedTypes } from '../served-types.ts';
import type { RunQuery } from './connection.ts';
import type { StoredTypes } from './indexes/field-indexes.ts';
import {
  dropIndexes,
  type IndexChange,
  listIndexNames,
  makeIndexes,
  makeIndexesOfType,
  neededIndexes,
} from './indexes/stored-indexes.ts';
import { isWordIndex } from './words/word-indexes.ts';
import { ruleNames } from './writes/deletion-rules.ts';
import { inTransaction } from './writes/transaction.ts';

/** A request to prepare indexes, to register this process as serving, or to renew its record. */
export type ServingRequest =
  | { readonly kind: 'prepare' }
  | {
      readonly kind: 'serve';
      /** A unique name of the process. */
      readonly process: string;
      /** JSON text of `ServedTypes`. */
      readonly types: string;
      readonly expiryMs: number;
    }
  | { readonly kind: 'heartbeat' }
  /** Marks the record of this process, which ends. */
  | { readonly kind: 'stopped' };

/** Milliseconds since 1970. All processes that open the file run on one machine and share its clock. */
const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** `started` numbers the processes in the order in which they began to serve; the greatest belongs to the types last served. */
const table = `CREATE TABLE IF NOT EXISTS serving (
  process TEXT PRIMARY KEY,
  seen INTEGER NOT NULL,
  started INTEGER,
  needs TEXT NOT NULL,
  types TEXT NOT NULL,
  stopped INTEGER NOT NULL DEFAULT 0
) STRICT`;

/** Reads the types of the processes that serve the store: not marked as ended, and seen in the last `expiryMs`. */
export function readServing(all: RunQuery, expiryMs: number): ServedTypes[] {
  if (all({ sql: "SELECT 1 FROM pragma_table_info('serving')", params: [] }).length === 0) return [];
  const sql = `SELECT types FROM serving WHERE seen >= ${now} - ?1 AND NOT stopped ORDER BY process`;
  // `writeRecord` wrote the column as JSON text of `ServedTypes`.
  return all({ sql, params: [expiryMs] }).map(([types]) => JSON.parse(String(types)) as ServedTypes);
}

/** Inserts or renews a record. A process whose record has expired gets `started` 0, as if it had started before all others. */
const upsertRecord = `INSERT INTO serving (process, seen, started, needs, types) VALUES (?, ${now}, ?, ?, ?)
  ON CONFLICT (process) DO UPDATE SET seen = excluded.seen`;

const markStarted =
  'UPDATE serving SET started = (SELECT coalesce(max(started), 0) + 1 FROM serving) WHERE process = ?';

const deleteExpired = `DELETE FROM serving WHERE process <> ? AND seen < ${now} - ?`;

/** Records the types that another store was last served with, in the transaction of the caller. */
export function recordServedTypes(database: DatabaseSync, types: ServedTypes): void {
  database.exec(table);
  database
    .prepare("INSERT INTO serving (process, seen, started, needs, types) VALUES ('restored', 0, 1, '[]', ?)")
    .run(JSON.stringify(types));
}

/** The request of a process that begins to serve. */
export type ServeRequest = Extract<ServingRequest, { kind: 'serve' }>;

/** Handles requests for the types of this process. `resumed` is the request that an earlier writer thread handled. */
export function createServing(database: DatabaseSync, types: StoredTypes, resumed?: ServeRequest) {
  const needed = neededIndexes(types);
  const rules = ruleNames(types);
  const unique = [...needed.values()].filter(({ index }) => !isWordIndex(index) && index.unique);
  let serving = resumed;
  /** The last schema version that had every unique index. */
  let verifiedVersion: number | undefined;

  const write = (work: () => unknown) => inTransaction({ database }, work);

  function serve(request: ServeRequest): IndexChange[] {
    write(() => {
      database.exec(table);
      writeRecord(request, null);
    });
    try {
      const made = makeIndexes(database, needed, () => writeRecord(request, null));
      write(() => database.prepare(markStarted).run(request.process));
      serving = request;
      return [...made, ...dropUnneeded(request)];
    } catch (error) {
      write(() => database.prepare('DELETE FROM serving WHERE process = ?').run(request.process));
      throw error;
    }
  }

  function writeRecord({ process, types: sdl }: ServeRequest, started: number | null): void {
    const names = JSON.stringify([...needed.keys(), ...rules]);
    database.prepare(upsertRecord).run(process, started, names, sdl);
  }

  /** Renews the record, and creates again the indexes that were dropped while this process was frozen. */
  function renew(request: ServeRequest): IndexChange[] {
    write(() => writeRecord(request, 0));
    const report = () => writeRecord(request, 0);
    return [...makeIndexes(database, needed, report), ...dropUnneeded(request)];
  }

  function markStopped({ process }: ServeRequest): void {
    write(() => database.prepare('UPDATE serving SET stopped = 1 WHERE process = ?').run(process));
    serving = undefined;
  }

  function dropUnneeded({ process, expiryMs }: ServeRequest): IndexChange[] {
    write(() => database.prepare(deleteExpired).run(process, expiryMs));
    const needing = database.prepare('SELECT 1 FROM serving, json_each(needs) WHERE value = ?');
    return dropIndexes(database, (name) => needed.has(name) || needing.get(name) !== undefined);
  }

  /** Creates the unique indexes that are missing; returns whether none was. */
  function ensureUnique(request: ServeRequest): boolean {
    const known = listIndexNames(database);
    const missing = unique.filter(({ index }) => !known.has(index.name));
    if (missing.length > 0) writeRecord(request, 0);
    for (const one of missing) makeIndexesOfType(database, [one]);
    return missing.length === 0;
  }

  return {
    /** Handles a request and returns the indexes it created and dropped. Errors: bad_config. */
    run(request: ServingRequest) {
      if (request.kind === 'prepare') {
        return makeIndexes(database, needed);
      }
      if (request.kind === 'serve') return serve(request);
      if (request.kind === 'heartbeat') return serving ? renew(serving) : [];
      if (serving) markStopped(serving);
      return [];
    },
    /** Ensures in each write transaction that every unique index exists, and creates missing ones. Errors: store_busy. */
    assertKept() {
      if (serving === undefined) return;
      const version = readSchemaVersion(database);
      if (version === verifiedVersion) return;
      try {
        // After creating an index the version is unknown, because the transaction may still roll back.
        verifiedVersion = ensureUnique(serving) ? version : undefined;
      } catch (error) {
        if (!isDomainError(error, 'bad_config')) throw error;
        throw storeBusy(`this process did not report to the store for too long, and ${error.message}`, error);
      }
    },
  };
}

const readSchemaVersion = (database: DatabaseSync) =>
  Number(database.prepare('PRAGMA schema_version').get()?.schema_version);
