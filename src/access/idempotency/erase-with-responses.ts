/**
 * Erases an asset together with the responses that contain it, those stored of idempotent requests and of deliveries to webhooks and
 * those in this process's memory, and with the files that nothing else uses.
 */
import type { ContentService } from '../../content/content-service.ts';
import type { Erasure } from '../../content/erasure/erase-asset.ts';
import type { Written } from '../../content/prepare-write.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { IdempotentRequests } from './idempotent-requests.ts';

/**
 * Erases an asset; returns the entry that remains in the log. Errors: not_found, precondition_failed, not_supported,
 * store_busy.
 */
export type EraseWithResponses = (erasure: Omit<Erasure, 'eraseCopies'>, caller: Caller) => Promise<Written>;

export function createEraseWithResponses({
  content,
  requests,
  eraseDeliveries = async () => {},
  deleteFiles = async () => {},
  removeFromMemory = async () => {},
}: {
  content: Pick<ContentService, 'history'>;
  requests: Pick<IdempotentRequests, 'eraseResponses'>;
  /** Removes the log of deliveries of the asset to webhooks. */
  eraseDeliveries?: (assetId: string) => Promise<void>;
  /** Deletes the files that only the erased asset has used. */
  deleteFiles?: (assetId: string) => Promise<void>;
  /** Removes what memory holds of assets that have changed; absent where nothing is kept. */
  removeFromMemory?: () => Promise<void>;
}): EraseWithResponses {
  return async (erasure, caller) => {
    let erasedId: string | undefined;
    const eraseCopies = async (id: string) => {
      erasedId = id;
      await requests.eraseResponses(id);
      await eraseDeliveries(id);
    };
    const erased = await content.history.erase({ ...erasure, eraseCopies }, caller);
    if (erasedId !== undefined) await deleteFiles(erasedId);
    await removeFromMemory();
    return erased;
  };
}
