/**
 * Checks writes without carrying them out, by themselves and in batches after each other: the responses and errors are those of the
 * writes, and the store is not written to.
 */

import { nameSender, type RequestOrigins } from '../../base/request-origin.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import { createAssetValidators } from '../../model/values/validate-asset.ts';
import type { KeysOf } from '../../query/unique-values.ts';
import type { StoredAsset } from '../../store/port.ts';
import { createUnsupportedChanges } from '../../store/unsupported-changes.ts';
import { attributeCalls, type RunGuard } from '../attribute-calls.ts';
import type { BatchRequest, OperationOutcome } from '../batch/batch.ts';
import { createUniqueKeys } from '../batch/unique-keys.ts';
import { type BatchWriter, createBatchWriter } from '../batch/write-batch.ts';
import { readDraftsOf } from '../drafts/draft-source.ts';
import { keepFiles } from '../files/keep-files.ts';
import { type AssetRestorer, createAssetRestorer } from '../history/asset-history.ts';
import { createWritePreparer } from '../prepare-write.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';
import { createReferrerSearch } from '../restricting-references.ts';
import { type AssetWriter, createAssetWriter } from '../write-asset.ts';
import { createTrialBatchStore, createTrialStore } from './trial-store.ts';
import type { UnseenConflicts } from './unseen-conflicts.ts';
import type { PendingWrites, StoreReads } from './write-overlay.ts';

/** The writes that can be checked. */
export interface TrialWriter
  extends Pick<AssetWriter, 'create' | 'update' | 'patch' | 'delete'>,
    BatchWriter {
  readonly restore: AssetRestorer;
}

/** The parts that a trial shares with the writes themselves. */
type TrialParts = Parameters<typeof createAssetWriter>[0] &
  Parameters<typeof createBatchWriter>[0] &
  Parameters<typeof createAssetRestorer>[0] & {
    readonly origins: RequestOrigins;
    readonly clock: Clock;
    readonly runs?: RunGuard | undefined;
    readonly unseenConflicts: UnseenConflicts;
  };

/** Creates a writer for one request of a caller. Errors: too_many_attempts; its calls have it, too. */
export type StartTrial = (caller: Caller) => TrialWriter;

export function createTrials({
  origins,
  clock,
  runs: guard,
  unseenConflicts,
  ...parts
}: TrialParts): StartTrial {
  // A write that is only checked is refused to a run as the write would be, and begins none.
  const runs = guard && { assertMayWrite: guard.assertCouldWrite };
  /** Returns the function that counts each asset once, however often the request meets it. */
  function countUnseen(caller: Caller): (holder: StoredAsset) => void {
    const sender = nameSender(origins.current());
    unseenConflicts.assertMayCheck(sender);
    const counted = new Set<string>();
    return ({ asset }) => {
      const isSeen = parts.catalog.types.has(asset._type) && isVisible(asset, caller);
      if (isSeen || counted.has(asset._id)) return;
      counted.add(asset._id);
      unseenConflicts.count(sender);
    };
  }

  return (caller) => {
    const trialStore = createTrialStore(parts.store, {
      keysOf: parts.keys.of,
      onConflict: countUnseen(caller),
      // Nothing keeps a deletion from being drafted.
      referrers: parts.rules.drafts ? undefined : createReferrerSearch(parts),
    });
    const filedStore = keepFiles(trialStore, { ...parts, isTrial: true });
    const store = attributeCalls(filedStore, { origins, clock, runs });
    const own = { ...parts, store };
    const writer = createAssetWriter(own);
    const { batch } = createBatchWriter(own);
    return {
      ...writer,
      batch: async (request, batchCaller, reserved) =>
        Promise.all((await batch(request, batchCaller, reserved)).map(nameDrafts)),
      restore: createAssetRestorer(own),
    };
  };

  /** Names the releases whose drafts a deletion would remove with its asset. */
  async function nameDrafts(outcome: OperationOutcome): Promise<OperationOutcome> {
    const isErasure = parts.rules.erasesDeletions && parts.store.capabilities.changes && !parts.rules.drafts;
    if (outcome.kind !== 'done' || outcome.effect !== 'deleted' || !isErasure) return outcome;
    const drafts = (await readDraftsOf(parts.store, outcome.id)).map(({ record }) => record.release);
    return drafts.length === 0 ? outcome : { ...outcome, drafts: drafts.toSorted() };
  }
}

/** The data and services that a dry run needs. */
export interface DryRunParts {
  readonly catalog: Catalog;
  /** Keeps the effects of the batches. */
  readonly pending: PendingWrites;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly siteOwnerRequired: boolean;
  /** Whether the batches write drafts: required fields may be missing, and references and unique values are not checked. */
  readonly forDrafts: boolean;
}

/** Checks a batch that is not atomic, on assets that it reads from `store`. */
type DryRun = (request: BatchRequest, store: StoreReads) => Promise<readonly OperationOutcome[]>;

/** Begins a dry run. */
export function createDryRun(parts: DryRunParts): DryRun {
  const { catalog, pending, ids, clock, siteOwnerRequired, forDrafts } = parts;
  const validators = createAssetValidators(catalog, { forDrafts });
  const keys = createUniqueKeys(catalog);
  const rules = {
    siteOwnerRequired: siteOwnerRequired && !forDrafts,
    referencesChecked: !forDrafts,
    drafts: forDrafts,
  };
  const preparer = createWritePreparer({ catalog, validators, clock, rules });
  const unlogged = {
    capabilities: { transactions: false, changes: false },
    changes: createUnsupportedChanges('A dry run knows no earlier versions'),
  };
  const unfit = { isChecked: () => false, check: () => [] };
  return (request, reads) => {
    const keysOf: KeysOf = forDrafts ? () => [] : keys.of;
    const store = { ...createTrialBatchStore(reads, { keysOf }, pending), ...unlogged };
    return createBatchWriter({ catalog, store, preparer, keys, unfit, ids, rules }).batch(request, {});
  };
}
