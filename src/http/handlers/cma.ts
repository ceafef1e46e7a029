/**
 * The handlers of the content management API: they translate between requests of openapi/cma.yaml and the content service.
 */
import type { Operations } from '../../../generated/server/cma.ts';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import type { EraseWithResponses } from '../../access/idempotency/erase-with-responses.ts';
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import { isUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import { readJsonPatch, readMergePatch } from '../../content/patch/patch-asset.ts';
import type { Json } from '../../model/content-type.ts';
import type { OperationHandlers } from '../api.ts';
import {
  type AssetState,
  createIdempotencyKeyHandler,
  identifyRequest,
} from '../credentials/idempotency-key.ts';
import { readQueryBody, readQueryParameters, readSelection } from '../request/read-asset-query.ts';
import { readBatch } from '../request/read-batch.ts';
import { isJsonPatch } from '../request/read-body.ts';
import { readMoment } from '../request/read-moment.ts';
import {
  ok,
  okChecked,
  okPastAsset,
  okText,
  okWritten,
  withoutVersion,
} from '../response/asset-responses.ts';
import { findFailure, toBatchResults, typesOf } from '../response/batch-response.ts';
import { toChangeHeader } from '../response/change-header.ts';
import { hasEntityTag, parseBase, parseIfMatch } from '../response/entity-tag.ts';
import { createCmaReader } from './cma-reads.ts';

/** The services that the handlers use. */
export interface CmaServices {
  /** The path where the API is mounted. */
  readonly basePath: string;
  /** The content of the users. */
  readonly content: ContentService;
  readonly requests: IdempotentRequests;
  readonly erase: EraseWithResponses;
  readonly logger: Logger;
}

/** The handlers of all operations of openapi/cma.yaml. */
export type CmaHandlers = OperationHandlers<Operations, { readonly client: ApiClient }, 'batchAssets'>;

/** The operations of `cma-changes.ts`, of `cma-files.ts` and of `cma-history.ts`. */
export type FeedOperation = 'listChanges';
export type FileOperation = 'uploadFile';
export type HistoryOperation = 'listAssetHistory' | 'restoreAsset';

/** Creates the handlers. */
export function createCmaHandlers({
  basePath,
  content,
  requests,
  erase,
  logger,
}: CmaServices): Omit<CmaHandlers, HistoryOperation | FeedOperation | FileOperation> {
  const withIdempotencyKey = createIdempotencyKeyHandler(requests);
  const { findPage, getPresent } = createCmaReader(content);
  const rebuild = async ({ id, version }: AssetState) => {
    const { asset } = await content.history.get({ id, moment: { version } }, {});
    return ok(asset, content.unfit.checkPast(asset)).body;
  };

  return {
    async queryAssets({ query, client, signal }) {
      assertScope(client, 'cma:read');
      return findPage(readQueryParameters(query), { client, signal });
    },

    async postAssetQuery({ body, client, signal }) {
      assertScope(client, 'cma:read');
      return findPage(readQueryBody(body), { client, signal });
    },

    async createAsset({ body, query, headers, client }) {
      assertScope(client, 'cma:write');
      if (query.validate === 'true') return okChecked(await content.trial().create(body, client), content);
      const request = identifyRequest('createAsset', { body, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const created = await content.create(body, client, reserved);
          const { headers, ...response } = okWritten(created, content);
          return { ...response, headers: { ...headers, Location: `${basePath}/${created.asset._id}` } };
        },
        assetsIn: ({ body }) => [body.result._id],
        rebuild,
      });
    },

    async getAsset({ path, query, headers, client, signal }) {
      const moment = readMoment(query);
      assertScope(client, moment ? 'history' : 'cma:read');
      const selection = readSelection(query);
      if (moment && selection.include) throw invalidParameter('include', 'is for the present state only');
      const response = moment
        ? okPastAsset(await content.history.get({ id: path.id, moment }, client), content, selection)
        : await getPresent(path.id, selection, { ...client, signal });
      const isUnchanged = hasEntityTag(headers['if-none-match'], response.headers.ETag);
      // The text is not sent, but its length decides whether the ETag is that of a compressed response.
      return isUnchanged ? { ...response, body: undefined, status: 304 as const } : response;
    },

    async updateAsset({ path, query, headers, body, client }) {
      assertScope(client, 'cma:write');
      const update = { id: path.id, body, ...condition(headers), ...parseBase(headers) };
      if (query.validate === 'true') return okChecked(await content.trial().update(update, client), content);
      if (headers['idempotency-key'] === undefined) {
        const updated = await content.updateText(update, client);
        const { headers: tags, ...response } = okText(updated, content);
        return { ...response, headers: { ...tags, ...toChangeHeader(updated) } };
      }
      const identity = { ...update, id: path.id.toLowerCase() };
      const request = identifyRequest('updateAsset', { body: identity, headers, client });
      return withIdempotencyKey(
        { ...request, ...assetOf(path) },
        {
          run: async (reserved) => okWritten(await content.update(update, client, reserved), content),
          rebuild,
        },
      );
    },

    async patchAsset({ path, query, headers, contentType, body, client }) {
      assertScope(client, 'cma:write');
      const read = isJsonPatch(contentType) ? readJsonPatch : readMergePatch;
      // A validated body is JSON.
      const patch = read(body as Json);
      const conditions = condition(headers);
      const patching = { id: path.id, patch, ...conditions };
      if (query.validate === 'true') return okChecked(await content.trial().patch(patching, client), content);
      const identity = { ...conditions, id: path.id.toLowerCase(), body };
      const request = identifyRequest('patchAsset', { body: identity, headers, client });
      return withIdempotencyKey(
        { ...request, ...assetOf(path) },
        {
          run: async (reserved) => okWritten(await content.patch(patching, client, reserved), content),
          rebuild,
        },
      );
    },

    async deleteAsset({ path, query, headers, client }) {
      const isErased = query.erase === 'true';
      assertScope(client, isErased ? 'admin' : 'cma:write');
      const deletion = { id: path.id, ...condition(headers) };
      const identity = { ...deletion, id: path.id.toLowerCase(), isErased };
      const request = identifyRequest('deleteAsset', { body: identity, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const deleted = isErased
            ? await erase({ ...deletion, ...(reserved && { reserved }) }, client)
            : await content.delete(deletion, client, reserved);
          return { ...ok(null), headers: toChangeHeader(deleted) };
        },
      });
    },

    async batchAssets({ body: checked, query, headers, client, senderFields, signal }) {
      assertScope(client, 'cma:write');
      if (query.validate === 'true') {
        const outcomes = await content.trial().batch(readBatch(checked), { ...client, signal });
        return {
          ...ok(toBatchResults(outcomes.map(withoutVersion), content.shapeOf)),
          usedTypes: typesOf(outcomes),
        };
      }
      const request = identifyRequest('batchAssets', { body: checked.body, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const outcomes = await content.batch(readBatch(checked), { ...client, signal }, reserved);
          const failure = findFailure(outcomes);
          if (failure) logger.error({ ...senderFields, err: failure }, 'operations of a batch failed');
          return { ...ok(toBatchResults(outcomes, content.shapeOf)), usedTypes: typesOf(outcomes) };
        },
        // Sent again, a batch that has used up its time goes on.
        isFinal: ({ body }) =>
          body.result.results.every(
            (result) =>
              result.status < 500 && !('error' in result && result.error?.code === 'batch_too_costly'),
          ),
      });
    },
  };
}

/** Returns the asset of a path; a text that is not a UUID is the `_id` of none. */
const assetOf = ({ id }: { readonly id: string }) => (isUuid(id) ? { asset: id.toLowerCase() } : {});

/** Parses the header If-Match. Errors: invalid_parameter. */
export function condition(headers: { readonly 'if-match'?: string }): { ifVersions?: readonly string[] } {
  const ifVersions = parseIfMatch(headers['if-match']);
  return ifVersions ? { ifVersions } : {};
}
