/**
 * Erases an asset together with the stored responses of idempotent requests that contain it.
 */
import type { ContentService } from '../../content/content-service.ts';
import type { Erasure } from '../../content/history/erase-asset.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { Written } from '../../content/written-asset.ts';
import type { IdempotentRequests } from './idempotent-requests.ts';

/**
 * Erases an asset; returns the entry that remains in the log. Errors: not_found, precondition_failed, not_supported,
 * store_busy.
 */
export type EraseWithResponses = (erasure: Omit<Erasure, 'eraseCopies'>, caller: Caller) => Promise<Written>;

/** Creates the function. */
export function createEraseWithResponses({
  content,
  requests,
}: {
  content: Pick<ContentService, 'history'>;
  requests: Pick<IdempotentRequests, 'eraseResponses'>;
}): EraseWithResponses {
  return (erasure, caller) =>
    content.history.erase({ ...erasure, eraseCopies: requests.eraseResponses }, caller);
}
