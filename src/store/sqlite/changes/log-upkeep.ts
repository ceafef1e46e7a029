/**
 * Trims the change log and erases assets, each in a separate transaction on the writer thread.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { inTransaction } from '../writes/transaction.ts';
import { createErasure, type EraseRequest } from './erase-asset.ts';
import { emptyWal, rebuildFile } from './rebuild-file.ts';
import { createTrimming, type TrimRequest, type TrimResult } from './trim-log.ts';

/** A request to remove deleted values from the files: `rebuild` first, then `emptyWal` until nobody reads them any more. */
export interface CleanRequest {
  readonly kind: 'rebuild' | 'emptyWal';
}

/** A request that the upkeep handles. */
export type UpkeepRequest = TrimRequest | EraseRequest | CleanRequest;

/** The result of a request: what was trimmed, or whether the store knew the erased asset. */
export type UpkeepResult = TrimResult | boolean;

/** Handles a request. `before` runs first in each transaction; when it throws, nothing is written. */
export function createLogUpkeep(
  database: DatabaseSync,
  { types, before }: { types: StoredTypes; before: () => void },
): (request: UpkeepRequest) => UpkeepResult {
  const trim = createTrimming(database);
  const erase = createErasure(database, types);
  const write = <Result>(work: () => Result) =>
    inTransaction({ database }, () => {
      before();
      return work();
    });
  return (request) => {
    switch (request.kind) {
      case 'trim':
        return write(() => trim(request));
      case 'erase':
        return write(() => erase(request));
      case 'rebuild':
        before();
        rebuildFile(database);
        return true;
      case 'emptyWal':
        emptyWal(database);
        return true;
    }
  };
}
