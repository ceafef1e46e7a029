/**
 * Trims the change log, erases assets and builds indexes, each in a separate transaction on the writer thread.
 */

import type { DatabaseSync } from 'node:sqlite';
import { storeBusy } from '../../../base/errors.ts';
import type { StoredTypes } from '../indexes/field-indexes.ts';
import { type BuildStep, buildStep } from '../indexes/index-building.ts';
import { isBusy } from '../map-error.ts';
import { purgeWords } from '../words/stored-words.ts';
import type { WordWriter } from '../words/word-writer.ts';
import { inTransaction, inUnsyncedTransaction, waitForOthers } from '../writes/transaction.ts';
import { createErasure, type EraseRequest } from './erase-asset.ts';
import { sqlNow } from './log-writer.ts';

/** A request to remove deleted values from the files: `rebuild` first, then `emptyWal` until nobody reads them any more. */
interface CleanRequest {
  readonly kind: 'rebuild' | 'emptyWal';
}

/** A request for one step of building indexes. */
interface BuildIndexesRequest {
  readonly kind: 'buildIndexes';
}

/** A request to find out whether writes succeed, by one that changes nothing else. */
interface ProbeRequest {
  readonly kind: 'probe';
}

/** A request to keep a time; see `keepTime` of the port. */
interface KeepTimeRequest {
  readonly kind: 'keepTime';
  readonly atMs: number;
  readonly isAccepted?: boolean;
}

/** A request that the upkeep handles. */
export type UpkeepRequest =
  | TrimRequest
  | EraseRequest
  | CleanRequest
  | BuildIndexesRequest
  | ProbeRequest
  | KeepTimeRequest;

/** The result of a request: what was trimmed, whether the store knew the erased asset, or what a step has built. */
export type UpkeepResult = TrimResult | boolean | BuildStep;

/** Handles a request. `before` runs first in each transaction; when it throws, nothing is written. */
export function createLogUpkeep(
  database: DatabaseSync,
  { types, words, before }: { types: StoredTypes; words: WordWriter; before: () => void },
): (request: UpkeepRequest) => UpkeepResult {
  const trim = createTrimming(database);
  const erase = createErasure(database, types);
  const write = <Result>(work: () => Result, run: typeof inTransaction<Result> = inTransaction) =>
    run({ database }, () => {
      before();
      const result = work();
      words.writePending();
      return result;
    });
  const setProbed = database.prepare(
    `INSERT INTO store_facts (name, value) VALUES ('probed', ${sqlNow})
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  const setHighestTime = database.prepare(
    `INSERT INTO store_facts (name, value) VALUES ('highest_time', ?1)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE ?2 OR value < excluded.value`,
  );

  /** Another process that writes is no failure. */
  function probe(): true {
    try {
      inTransaction({ database, waitMs: 0 }, () => {
        before();
        setProbed.run();
      });
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    return true;
  }

  return (request) => {
    switch (request.kind) {
      case 'trim':
        return write(() => trim(request));
      case 'erase':
        return write(() => erase(request));
      case 'rebuild':
        write(() => purgeWords(database));
        rebuildFile(database);
        return true;
      case 'buildIndexes':
        return write(() => buildStep(database, words), inUnsyncedTransaction);
      case 'probe':
        return probe();
      case 'keepTime':
        return write(() => setHighestTime.run(request.atMs, request.isAccepted ? 1 : 0).changes > 0);
      case 'emptyWal':
        emptyWal(database);
        return true;
    }
  };
}

/**
 * Rebuilds the file from its rows. `emptyWal` then removes the former file's content.
 *
 * Deleting a row leaves its bytes in free pages, in the free parts of pages and in the WAL. `PRAGMA secure_delete` overwrites
 * most of them, but not the copies that remain in a page when SQLite moves rows to another page. Only rebuilding the file removes
 * all of them, in a time that grows with the store.
 */
const rebuildFile = (database: DatabaseSync) => waitForOthers(() => database.exec('VACUUM'));

/** Copies the WAL to the file and empties it. Errors: store_busy while a reader needs the WAL, or another process writes. */
function emptyWal(database: DatabaseSync): void {
  if (!checkpoint(database)) throw storeBusy('erased values are still being read');
}

function checkpoint(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return false;
  }
}

/** A request to remove entries that were written before a time. */
interface TrimRequest {
  readonly kind: 'trim';
  readonly beforeMs: number;
  readonly limit: number;
}

/** How many entries were removed, and whether the request is done. */
export interface TrimResult {
  readonly kind: 'trimmed';
  readonly removed: number;
  readonly isDone: boolean;
}

/** The entries and the bytes that one transaction removes, so that it takes a few milliseconds. */
const maxEntries = 500;
const maxBytes = 4_000_000;

/** Prepares a function that removes some entries, and at most `limit` of them. */
function createTrimming(database: DatabaseSync): (request: TrimRequest) => TrimResult {
  const select = database.prepare(
    `SELECT seq, at, coalesce(octet_length(before), 0) + coalesce(octet_length(state), 0) AS bytes
     FROM changes WHERE seq < (SELECT max(seq) FROM changes) ORDER BY seq LIMIT ?`,
  );
  const remove = database.prepare('DELETE FROM changes WHERE seq <= ?');
  const raiseStart = database.prepare(
    `UPDATE store_facts SET value = max(value, ?) WHERE name = 'logged_since'`,
  );
  const raiseTrimmed = database.prepare(
    `INSERT INTO store_facts (name, value) VALUES ('trimmed_to', ?)
     ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
  );
  return ({ beforeMs, limit }) => {
    const rows = select.all(Math.min(limit, maxEntries));
    const newer = rows.findIndex(({ at }) => Number(at) >= beforeMs);
    const old = newer < 0 ? rows : rows.slice(0, newer);
    const part = old.slice(0, Math.max(1, countFitting(old.map(({ bytes }) => Number(bytes)))));
    const last = part.at(-1);
    if (last) {
      remove.run(Number(last.seq));
      raiseTrimmed.run(Number(last.seq));
      raiseStart.run(Math.max(...part.map(({ at }) => Number(at))));
    }
    const isMore = part.length < old.length || old.length === maxEntries;
    return { kind: 'trimmed', removed: part.length, isDone: part.length === limit || !isMore };
  };
}

function countFitting(sizes: readonly number[]): number {
  let left = maxBytes;
  const tooMany = sizes.findIndex((bytes) => {
    left -= bytes;
    return left < 0;
  });
  return tooMany < 0 ? sizes.length : tooMany;
}
