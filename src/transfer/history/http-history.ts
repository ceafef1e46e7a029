/**
 * The past of assets at a server, reached by its content management API.
 */
import { transferFailed } from '../../base/errors.ts';
import type { ClientOptions } from '../../client/cma-request.ts';
import { createClient } from '../../client/create-client.ts';
import { ColophonError } from '../../client/errors.ts';
import type { HistoryTarget } from './history-target.ts';

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
