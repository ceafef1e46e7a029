/**
 * The batch writer: reads the operations of a batch and carries them out, independently or in a transaction.
 */
import { atomicUnsupported } from '../../base/errors.ts';
import { type IdSource, yieldEvery32Steps } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import { defaultQueryMs } from '../../store/port.ts';
import { createWriteBudget } from '../../store/write-options.ts';
import { createKeyReader, createResolver } from '../check-references.ts';
import { assertMergesSupported } from '../merge-changes.ts';
import { createFreshIds, type PreAssignedIds } from '../pre-assigned-ids.ts';
import type { ContentRules, WritePreparer } from '../prepare-write.ts';
import type { Caller } from '../reading/find-assets.ts';
import type { UnfitContent } from '../unfit/unfit-content.ts';
import type { BatchOperation, BatchRequest, OperationOutcome, Refusal } from './batch.ts';
import { type ReadOperation, readOperation } from './batch.ts';
import { type BatchStore, createBatchAssets, findNamed } from './batch-assets.ts';
import { type BatchRun, recallChanges } from './batch-run.ts';
import { writeIndependently } from './independent-batch.ts';
import { limitConflictsOf } from './limit-conflicts.ts';
import { writeTransactionally } from './transactional-batch.ts';
import type { UniqueKeys } from './unique-keys.ts';

/** The half of the content service that writes many assets. */
export interface BatchWriter {
  /**
   * Carries out operations in their order, each seeing the effects of those before it; returns the outcome of each.
   *
   * `reserved` holds the pre-assigned IDs of a request that may run again. A caller who disconnects ends the batch.
   * Errors: atomic_unsupported; not_supported for a base version on a store without a change log; with `atomic`, that of the first refused operation, with the problems of all.
   */
  batch(
    request: BatchRequest,
    caller: Caller,
    reserved?: PreAssignedIds,
  ): Promise<readonly OperationOutcome[]>;
}

export function createBatchWriter({
  catalog,
  store,
  preparer,
  keys,
  unfit,
  ids,
  rules,
}: {
  catalog: Catalog;
  store: BatchStore;
  preparer: WritePreparer;
  keys: UniqueKeys;
  unfit: Pick<UnfitContent, 'check' | 'isChecked'>;
  ids: IdSource;
  rules: ContentRules;
}): BatchWriter {
  const fresh = createFreshIds(ids);
  return {
    async batch(
      { operations, atomic, references, updateDates, skipUnchanged = false },
      caller,
      reserved = fresh,
    ) {
      if (atomic && !store.capabilities.transactions) throw atomicUnsupported();
      if (operations.some(isBased)) assertMergesSupported(store);
      const readKey = createKeyReader(keys);
      const read: (ReadOperation | Refusal)[] = [];
      for (const [index, operation] of operations.entries()) {
        read.push(await readOperation(operation, index, { catalog, keys, readKey }));
        await yieldEvery32Steps(index);
      }
      const assets = createBatchAssets({ store, catalog, keys, caller });
      const run: BatchRun = {
        store,
        unfit,
        preparer,
        reserved,
        keepsDates: updateDates === 'given',
        skipsUnchanged: skipUnchanged,
        caller,
        assets,
        resolve: createResolver(readKey, (key) => findNamed(assets, key)),
        budget: createWriteBudget(rules.queryMs ?? defaultQueryMs),
        references: references === 'checked' && !rules.referencesChecked ? 'unchecked' : references,
      };
      const outcomes = await (atomic ? writeTransactionally(read, run) : writeIndependently(read, run));
      return recallChanges(limitConflictsOf(outcomes), run);
    },
  };
}

const isBased = (operation: BatchOperation) =>
  'baseVersion' in operation && operation.baseVersion !== undefined;
