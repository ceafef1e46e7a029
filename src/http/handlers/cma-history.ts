/**
 * The handlers of the content management API for the past of assets: their changes, restoring, and withdrawing.
 */
import { assertScope } from '../../access/clients/scopes.ts';
import { describeHistory } from '../../content/history/describe-change.ts';
import { createIdempotencyKeyHandler, identifyRequest } from '../credentials/idempotency-key.ts';
import { readRestoration } from '../request/read-moment.ts';
import { ok, okChecked, okWritten } from '../response/asset-responses.ts';
import { toChangeHeader } from '../response/change-header.ts';
import { type CmaHandlers, type CmaServices, condition, type HistoryOperation } from './cma.ts';
import { chooseContent, inRelease } from './requested-content.ts';

const defaultLimit = 20;

/** Creates the handlers. */
export function createCmaHistoryHandlers({
  content,
  requests,
}: Pick<CmaServices, 'content' | 'requests'>): Pick<CmaHandlers, HistoryOperation> {
  const withIdempotencyKey = createIdempotencyKeyHandler(requests);
  return {
    listAssetHistory: inRelease(async ({ path, query, client, signal }) => {
      assertScope(client, 'history');
      const { history } = chooseContent(content, { query, client }, 'history');
      const { limit = defaultLimit, cursor, values } = query;
      const request = { id: path.id, limit: Number(limit), ...(cursor === undefined ? {} : { cursor }) };
      const page = await history.list(request, { ...client, signal });
      return ok(describeHistory(page, { values: values === 'true' }));
    }),

    async restoreAsset({ path, query, headers, body, client }) {
      assertScope(client, 'history');
      assertScope(client, 'cma:write');
      const restoration = { id: path.id, ...readRestoration(body), ...condition(headers) };
      if (query.validate === 'true')
        return okChecked(await content.trial(client).restore(restoration, client), content);
      return okWritten(await content.history.restore(restoration, client), content);
    },

    async withdrawAsset({ path, headers, client, signal }) {
      assertScope(client, 'cma:write');
      assertScope(client, 'cma:draft');
      const withdrawal = { id: path.id, ...condition(headers) };
      const identity = { ...withdrawal, id: path.id.toLowerCase() };
      const request = identifyRequest('withdrawAsset', { body: identity, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const withdrawn = await content.releases.withdraw(withdrawal, { ...client, signal }, reserved);
          const { references, schedules } = withdrawn;
          return { ...ok({ references, schedules }), headers: toChangeHeader(withdrawn) };
        },
        assetsIn: ({ body }) => body.result.references.items.map(({ _id }) => _id),
      });
    },
  };
}
