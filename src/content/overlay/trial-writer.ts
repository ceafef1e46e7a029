/**
 * Checks writes without carrying them out: the responses and errors are those of the writes, and the store is not written to.
 */
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { Clock } from '../../base/runtime.ts';
import { attributeCalls, type RunGuard } from '../attribute-calls.ts';
import { type BatchWriter, createBatchWriter } from '../batch/write-batch.ts';
import { keepFiles } from '../files/keep-files.ts';
import { type AssetRestorer, createAssetRestorer } from '../history/restore-asset.ts';
import { type AssetWriter, createAssetWriter } from '../write-asset.ts';
import { createTrialStore } from './trial-store.ts';

/** The writes that can be checked. */
export interface TrialWriter extends Pick<AssetWriter, 'create' | 'update' | 'patch'>, BatchWriter {
  readonly restore: AssetRestorer;
}

/** The parts that a trial shares with the writes themselves. */
type TrialParts = Parameters<typeof createAssetWriter>[0] &
  Parameters<typeof createBatchWriter>[0] &
  Parameters<typeof createAssetRestorer>[0] & {
    readonly origins: RequestOrigins;
    readonly clock: Clock;
    readonly runs?: RunGuard | undefined;
  };

/** Returns a function that creates a writer for one request. */
export function createTrials({ origins, clock, runs: guard, ...parts }: TrialParts): () => TrialWriter {
  // A write that is only checked is refused to a run as the write would be, and begins none.
  const runs = guard && { assertMayWrite: guard.assertCouldWrite };
  return () => {
    const trialStore = createTrialStore(parts.store, parts.keys.of);
    const filedStore = keepFiles(trialStore, { ...parts, isTrial: true });
    const store = attributeCalls(filedStore, { origins, clock, runs });
    const own = { ...parts, store };
    const { create, update, patch } = createAssetWriter(own);
    return { create, update, patch, ...createBatchWriter(own), restore: createAssetRestorer(own) };
  };
}
