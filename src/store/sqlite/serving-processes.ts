/**
 * The records of the processes that serve the store, in the table `serving`, on the writer's thread.
 *
 * A record names the indexes that its process needs and holds its SDL. It is written before the first index is made and read
 * again in the transaction that drops one, so no index goes that a starting process counts on. A process that was frozen for
 * longer than its record lasts finds out in the transaction of its next write: the schema has another version then.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isDomainError, storeBusy } from '../../base/errors.ts';
import {
  dropIndexes,
  type IndexChange,
  listIndexNames,
  makeIndex,
  makeIndexes,
  neededIndexes,
} from './indexes/stored-indexes.ts';
import type { StoredTypes } from './indexes/stored-types.ts';
import { inTransaction } from './writes/transaction.ts';

/** What a process asks of its store besides reading and writing. */
export type ServingRequest =
  | { readonly kind: 'prepare' }
  | {
      readonly kind: 'serve';
      /** A name for the process that no other has. */
      readonly process: string;
      /** JSON text of `ServedTypes`. */
      readonly types: string;
      readonly expiryMs: number;
    }
  | { readonly kind: 'heartbeat' };

/** The thread's side of serving. */
export interface Serving {
  /** Does what is asked; tells what became of indexes. Errors: bad_config. */
  run(request: ServingRequest): IndexChange[];
  /** Run in each transaction that writes: what keeps unique fields unique is there, or is made again. Errors: store_busy. */
  assertKept(): void;
}

/** Milliseconds since 1970, by the clock of the one machine that a file has. */
const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** `started` numbers those that came to serve; the greatest is that of the types last served. */
const table = `CREATE TABLE IF NOT EXISTS serving (
  process TEXT PRIMARY KEY,
  seen INTEGER NOT NULL,
  started INTEGER,
  needs TEXT NOT NULL,
  types TEXT NOT NULL
) STRICT`;

/** Also of a process whose record was removed: it comes back as one that started before the others. */
const keepRecord = `INSERT INTO serving (process, seen, started, needs, types) VALUES (?, ${now}, ?, ?, ?)
  ON CONFLICT (process) DO UPDATE SET seen = excluded.seen`;

const startRecord =
  'UPDATE serving SET started = (SELECT coalesce(max(started), 0) + 1 FROM serving) WHERE process = ?';

const forgetSilent = `DELETE FROM serving WHERE process <> ? AND seen < ${now} - ?`;

/** What a process asks that comes to serve. */
export type ServeRequest = Extract<ServingRequest, { kind: 'serve' }>;

/** Makes it for the types of this process; `resumed` is what an earlier thread of it was asked to serve. */
export function createServing(database: DatabaseSync, types: StoredTypes, resumed?: ServeRequest): Serving {
  const needed = neededIndexes(types);
  const unique = [...needed.values()].filter(({ index }) => index.unique);
  let serving = resumed;
  /** The version of the schema that was last seen to have every unique index. */
  let verified: number | undefined;

  const write = (work: () => unknown) => inTransaction({ database }, work);

  function serve(request: ServeRequest): IndexChange[] {
    write(() => {
      database.exec(table);
      writeRecord(request, null);
    });
    try {
      const made = makeIndexes(database, needed, () => writeRecord(request, null));
      write(() => database.prepare(startRecord).run(request.process));
      serving = request;
      return [...made, ...clean(request)];
    } catch (error) {
      write(() => database.prepare('DELETE FROM serving WHERE process = ?').run(request.process));
      throw error;
    }
  }

  function writeRecord({ process, types: sdl }: ServeRequest, started: number | null): void {
    const names = JSON.stringify([...needed.keys()]);
    database.prepare(keepRecord).run(process, started, names, sdl);
  }

  /** The record, and with it the indexes, may have gone while this process was frozen. */
  function renew(request: ServeRequest): IndexChange[] {
    write(() => writeRecord(request, 0));
    const report = () => writeRecord(request, 0);
    return [...makeIndexes(database, needed, report), ...clean(request)];
  }

  function clean({ process, expiryMs }: ServeRequest): IndexChange[] {
    write(() => database.prepare(forgetSilent).run(process, expiryMs));
    const wanted = database.prepare('SELECT 1 FROM serving, json_each(needs) WHERE value = ?');
    return dropIndexes(database, (name) => needed.has(name) || wanted.get(name) !== undefined);
  }

  /** Whether all were there. */
  function makeUnique(request: ServeRequest): boolean {
    const known = listIndexNames(database);
    const missing = unique.filter(({ index }) => !known.has(index.name));
    if (missing.length > 0) writeRecord(request, 0);
    for (const one of missing) makeIndex(database, one);
    return missing.length === 0;
  }

  return {
    run(request) {
      if (request.kind === 'prepare') return makeIndexes(database, needed);
      if (request.kind === 'serve') return serve(request);
      return serving ? renew(serving) : [];
    },
    assertKept() {
      if (serving === undefined) return;
      const version = readSchemaVersion(database);
      if (version === verified) return;
      try {
        // What was made may yet be rolled back.
        verified = makeUnique(serving) ? version : undefined;
      } catch (error) {
        if (!isDomainError(error, 'bad_config')) throw error;
        throw storeBusy(`this process was not heard of for too long, and ${error.message}`, error);
      }
    },
  };
}

const readSchemaVersion = (database: DatabaseSync) =>
  Number(database.prepare('PRAGMA schema_version').get()?.schema_version);
