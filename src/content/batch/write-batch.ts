/**
 * Carries out batches: operations on assets asked for together.
 */
import { atomicUnsupported } from '../../base/errors.ts';
import type { IdSource } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { ContentStore } from '../../store/port.ts';
import { createFreshIds, type PreAssignedIds } from '../pre-assigned-ids.ts';
import type { ContentRules, WritePreparer } from '../prepare-write.ts';
import type { Caller } from '../reading/find-assets.ts';
import type { UnfitContent } from '../unfit/unfit-content.ts';
import type { BatchRequest, OperationOutcome } from './batch.ts';
import { createBatchView } from './batch-assets.ts';
import type { BatchRun } from './batch-run.ts';
import { writeIndependently } from './independent-batch.ts';
import { readOperation } from './read-operations.ts';
import { writeTransactionally } from './transactional-batch.ts';
import type { UniqueKeys } from './unique-keys.ts';

/** The half of the content service that writes many assets. */
export interface BatchWriter {
  /**
   * Carries out operations in their order, each seeing what those before it did; the outcome of each.
   *
   * `reserved` are the names of a request that may be run again.
   * Errors: atomic_unsupported; with `atomic`, that of the first operation refused, with the problems of all.
   */
  batch(
    request: BatchRequest,
    caller: Caller,
    reserved?: PreAssignedIds,
  ): Promise<readonly OperationOutcome[]>;
}

/** Makes the writer of batches. */
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
  store: ContentStore;
  preparer: WritePreparer;
  keys: UniqueKeys;
  unfit: UnfitContent;
  ids: IdSource;
  rules: ContentRules;
}): BatchWriter {
  const fresh = createFreshIds(ids);
  return {
    async batch({ operations, atomic, references }, caller, reserved = fresh) {
      if (atomic && !store.capabilities.transactions) throw atomicUnsupported();
      const read = operations.map((operation, index) => readOperation(operation, index, { catalog, keys }));
      const run: BatchRun = {
        store,
        unfit,
        preparer,
        reserved,
        caller,
        view: createBatchView({ store, catalog, keys, caller }),
        references: references === 'checked' && !rules.referencesChecked ? 'unchecked' : references,
      };
      return atomic ? writeTransactionally(read, run) : writeIndependently(read, run);
    },
  };
}
