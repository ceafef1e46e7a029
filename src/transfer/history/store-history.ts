/**
 * The past of assets in a store, reached by the content service of this process.
 */
import { createEraseWithResponses } from '../../access/idempotency/erase-with-responses.ts';
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import type { ContentService } from '../../content/content-service.ts';
import { describeHistory } from '../../content/history/describe-change.ts';
import type { HistoryTarget } from './history-target.ts';

/** Creates a target that may read and write everything. */
export function createStoreHistory({
  content,
  requests,
  eraseDeliveries,
  deleteFiles,
  close,
}: {
  content: ContentService;
  requests: IdempotentRequests;
  /** Removes the log of deliveries of an asset to webhooks. */
  eraseDeliveries: (assetId: string) => Promise<void>;
  /** Deletes the files that only an erased asset has used. */
  deleteFiles: (assetId: string) => Promise<void>;
  close: () => Promise<void>;
}): HistoryTarget {
  const erase = createEraseWithResponses({ content, requests, eraseDeliveries, deleteFiles });
  return {
    list: async (page) => describeHistory(await content.history.list(page, {}), { values: false }),
    async restore({ isDryRun, ...restoration }) {
      if (!isDryRun) return content.history.restore(restoration, {});
      const { asset } = await content.trial({}).restore(restoration, {});
      return { asset };
    },
    erase: async (id) => void (await erase({ id }, {})),
    close,
  };
}
