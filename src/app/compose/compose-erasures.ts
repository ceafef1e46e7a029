/**
 * Wires the removal of what is kept of erased assets: stored responses, deliveries to webhooks, files and drafts.
 */
import { createProgressRecord } from '../../access/erasure-progress.ts';
import {
  createEraseWithResponses,
  type EraseWithResponses,
} from '../../access/idempotency/erase-with-responses.ts';
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import type { Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { createErasureSweep, type ErasureSweep } from '../../content/erasure/erasure-sweep.ts';
import { createFileUses, createUnusedFiles, type UnusedFiles } from '../../content/files/unused-files.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { FilePlace } from '../../store/file-place.ts';
import { openFilePlace } from '../../store/open-store.ts';
import type { ContentStore } from '../../store/port.ts';
import type { Config } from '../config/config.ts';
import type { WebhookParts } from './compose-webhooks.ts';
import type { Runtime } from './runtime.ts';

export function composeErasures({
  runtime: { clock, ids, logger },
  store,
  system,
  catalog,
  requests,
  eraseDeliveries,
  deleteFiles,
  onErased,
}: {
  runtime: Runtime;
  store: ContentStore;
  system: ContentService;
  catalog: Catalog;
  requests: Pick<IdempotentRequests, 'eraseResponses'>;
  eraseDeliveries: (assetId: string) => Promise<void>;
  deleteFiles: (assetId: string) => Promise<void>;
  onErased?: () => Promise<void>;
}): ErasureSweep {
  const progress = createProgressRecord(system);
  async function eraseCopies(asset: string): Promise<void> {
    await Promise.all([requests.eraseResponses(asset), eraseDeliveries(asset)]);
    await deleteFiles(asset);
  }
  const parts = { store, catalog, clock, ids, logger, progress, eraseCopies };
  return createErasureSweep({ ...parts, ...(onErased && { onErased }) });
}

/** Creates the function that erases one asset at the request of a caller. */
export const composeErase = ({
  content,
  requests,
  webhooks,
  unusedFiles,
  logger,
  removeFromMemory,
}: {
  content: ContentService;
  requests: IdempotentRequests;
  webhooks: Pick<WebhookParts['webhooks'], 'eraseDeliveries'>;
  unusedFiles: UnusedFiles;
  logger: Logger;
  removeFromMemory: () => Promise<void>;
}): EraseWithResponses =>
  createEraseWithResponses({
    content,
    requests,
    eraseDeliveries: webhooks.eraseDeliveries,
    // The asset is erased already, and files that are left are found later.
    deleteFiles: (id) =>
      unusedFiles.deleteOf(id).catch((err: unknown) => {
        logger.warn({ err }, 'The files of an erased asset could not be deleted');
      }),
    removeFromMemory,
  });

/** Deletes the files of erased assets for a command. The first deletion opens the place of files, which `close` closes. */
export function composeFileDeletion(
  config: Config,
  { runtime: { clock }, store, system }: { runtime: Runtime; store: ContentStore; system: ContentService },
): { deleteFiles(assetId: string): Promise<void>; close(): Promise<void> } {
  const uses = createFileUses({ system, store });
  let opening: Promise<FilePlace> | undefined;
  return {
    async deleteFiles(assetId) {
      opening ??= openFilePlace(config);
      const place = await opening;
      await createUnusedFiles({ system, uses, place, clock }).deleteOf(assetId);
    },
    async close() {
      const place = await opening?.catch(() => undefined);
      await place?.close();
    },
  };
}
