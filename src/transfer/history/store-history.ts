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
  close,
}: {
  content: ContentService;
  requests: IdempotentRequests;
  close: () => Promise<void>;
}): HistoryTarget {
  const erase = createEraseWithResponses({ content, requests });
  return {
    list: async (page) => describeHistory(await content.history.list(page, {}), { values: false }),
    restore: (restoration) => content.history.restore(restoration, {}),
    erase: async (id) => void (await erase({ id }, {})),
    close,
  };
}
