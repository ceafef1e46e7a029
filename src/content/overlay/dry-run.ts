/**
 * Checks batches for content that may lie elsewhere: each batch gets the outcomes that it would have had after those before it.
 */
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import { createAssetValidators } from '../../model/values/validate-asset.ts';
import type { KeysOf } from '../../query/unique-values.ts';
import { createUnsupportedChanges } from '../../store/unsupported-changes.ts';
import type { BatchRequest, OperationOutcome } from '../batch/batch.ts';
import { createUniqueKeys } from '../batch/unique-keys.ts';
import { createBatchWriter } from '../batch/write-batch.ts';
import { createWritePreparer } from '../prepare-write.ts';
import { createTrialBatchStore } from './trial-store.ts';
import type { PendingWrites, StoreReads } from './write-overlay.ts';

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
export type DryRun = (request: BatchRequest, store: StoreReads) => Promise<readonly OperationOutcome[]>;

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
