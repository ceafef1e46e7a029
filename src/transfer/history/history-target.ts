/**
 * The port of the commands about the past of an asset, with its implementations for a server and for a store.
 */

import { createEraseWithResponses } from '../../access/idempotency/erase-with-responses.ts';
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { transferFailed } from '../../base/errors.ts';
import type { ClientOptions } from '../../client/cma-request.ts';
import { createClient } from '../../client/create-client.ts';
import { ColophonError } from '../../client/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { NamedMoment } from '../../content/history/read-history.ts';
import { type DescribedHistory, describeHistory } from '../../content/history/read-history.ts';

/** Which changes to list. */
export interface HistoryPageRequest {
  readonly id: string;
  readonly limit: number;
  /** The `next` of the page before. */
  readonly cursor?: string;
}

/** Which past state to restore. */
export interface Restoration {
  readonly id: string;
  readonly moment: NamedMoment;
  /** Absent means the whole state. */
  readonly fields?: readonly string[];
  /** Whether to check the write only. */
  readonly isDryRun: boolean;
}

/** The past of assets. Errors, of each call: transfer_failed when a server refuses; those of the content service. */
export interface HistoryTarget {
  list(page: HistoryPageRequest): Promise<DescribedHistory>;
  /** Restores a past state; returns the asset and its version, which a dry run does not have. */
  restore(restoration: Restoration): Promise<{ readonly asset: object; readonly version?: string }>;
  erase(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Creates the target; nothing is sent before it is used. */
export function createHttpHistory({
  url,
  ...server
}: Pick<ClientOptions, 'clientId' | 'clientSecret' | 'timeoutMs' | 'retries'> & {
  /** The address of the content management API, without a slash at the end. */
  readonly url: string;
}): HistoryTarget {
  const { origin, pathname } = new URL(url);
  const client = createClient({ ...server, baseUrl: origin, cmaPath: pathname });

  async function ask<Result>(call: Promise<Result>): Promise<Result> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof ColophonError)) throw error;
      const { status, message } = error;
      throw transferFailed(status === undefined ? message : `${url} answers ${status}: ${message}`);
    }
  }

  return {
    list: ({ id, ...page }) => ask(client.listAssetHistory(id, page)),
    async restore({ id, moment, fields, isDryRun }) {
      const state = 'version' in moment ? moment : { at: moment.atMs };
      const restoration = { ...state, ...(fields && { fields: [...fields] }) };
      const { asset, etag } = await ask(client.restoreAsset(id, restoration, { validate: isDryRun }));
      if (etag === undefined) return { asset };
      return { asset, version: /^"([^".]*)/.exec(etag)?.[1] ?? etag };
    },
    erase: (id) => ask(client.eraseAsset(id)),
    close: async () => {},
  };
}

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
