/**
 * Trims the change log, erases assets and builds indexes, each in a separate transaction on the writer thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import { storeBusy } from '../../../base/errors.ts';
import { type BuildStep, buildStep } from '../indexes/build-step.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { isBusy } from '../map-error.ts';
import { purgeWords } from '../words/stored-words.ts';
import type { WordWriter } from '../words/word-writer.ts';
import { inTransaction, inUnsyncedTransaction, waitForOthers } from '../writes/transaction.ts';
import { sqlNow } from './change-tables.ts';
import { createErasure, type EraseRequest } from './erase-asset.ts';
import { createTrimming, type TrimRequest, type TrimResult } from './trim-log.ts';

/** A request to remove deleted values from the files: `rebuild` first, then `emptyWal` until nobody reads them any more. */
export interface CleanRequest {
  readonly kind: 'rebuild' | 'emptyWal';
}

/** A request for one step of building indexes. */
export interface BuildIndexesRequest {
  readonly kind: 'buildIndexes';
}

/** A request to find out whether writes succeed, by one that changes nothing else. */
export interface ProbeRequest {
  readonly kind: 'probe';
}

/** A request to keep a time; see `keepTime` of the port. */
export interface KeepTimeRequest {
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
