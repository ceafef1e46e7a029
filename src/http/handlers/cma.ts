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
import {
  type AssetState,
  createIdempotencyKeyHandler,
  identifyRequest,
} from '../credentials/idempotency-key.ts';
import type { OperationHandlers } from '../operation-handlers.ts';
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
import {
  assertDeletion,
  bindToRelease,
  type ContentChoice,
  chooseContent,
  inRelease,
  openReleaseAs,
  operationIn,
  releaseQuery,
} from './requested-content.ts';

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
export type HistoryOperation = 'listAssetHistory' | 'restoreAsset' | 'withdrawAsset';

/** Creates the handlers. */
export function createCmaHandlers({
  basePath,
  content,
  requests,
  erase,
  logger,
}: CmaServices): Omit<CmaHandlers, HistoryOperation | FeedOperation | FileOperation> {
  const withIdempotencyKey = createIdempotencyKeyHandler(requests);
  const rebuildLive = async ({ id, version }: AssetState) => {
    const { asset } = await content.history.get({ id, moment: { version } }, {});
    return ok(asset, content.unfit.checkPast(asset)).body;
  };
  // Responses in a release are stored whole.
  const rebuildIn = ({ release }: ContentChoice['query']) =>
    release === undefined ? { rebuild: rebuildLive } : {};

  return {
    queryAssets: inRelease(async ({ query, client, signal }) => {
      const requested = chooseContent(content, { query, client }, 'cma:read');
      const page = bindToRelease(readQueryParameters(query), query);
      return createCmaReader(requested).findPage(page, { client, signal });
    }),

    postAssetQuery: inRelease(async ({ body, query, client, signal }) => {
      const requested = chooseContent(content, { query, client }, 'cma:read');
      return createCmaReader(requested).findPage(bindToRelease(readQueryBody(body), query), {
        client,
        signal,
      });
    }),

    createAsset: inRelease(async ({ body, query, headers, client }) => {
      const requested = chooseContent(content, { query, headers, client }, 'cma:write');
      if (query.validate === 'true')
        return okChecked(await requested.trial(client).create(body, client), requested);
      const request = identifyRequest(operationIn('createAsset', query), { body, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const created = await requested.create(body, client, reserved);
          const { headers, ...response } = okWritten(created, requested);
          const Location = `${basePath}/${created.asset._id}${releaseQuery(query)}`;
          return { ...response, headers: { ...headers, Location } };
        },
        assetsIn: ({ body }) => [body.result._id],
        ...rebuildIn(query),
      });
    }),

    getAsset: inRelease(async ({ path, query, headers, client, signal }) => {
      const moment = readMoment(query);
      if (query.at !== undefined && query.release !== undefined)
        throw invalidParameter('release', 'cannot be combined with "at"');
      if (moment) assertScope(client, 'history');
      const requested = chooseContent(content, { query, client }, moment ? 'history' : 'cma:read');
      const selection = readSelection(query);
      if (moment && selection.include) throw invalidParameter('include', 'is for the present state only');
      const response = moment
        ? okPastAsset(await requested.history.get({ id: path.id, moment }, client), requested, selection)
        : await createCmaReader(requested).getPresent(path.id, selection, { ...client, signal });
      // Nobody keeps a response in a release, which says `no-store`, so it is always sent.
      const isUnchanged =
        query.release === undefined && hasEntityTag(headers['if-none-match'], response.headers.ETag);
      // The text is not sent, but its length decides whether the ETag is that of a compressed response.
      return isUnchanged ? { ...response, body: undefined, status: 304 as const } : response;
    }),

    updateAsset: inRelease(async ({ path, query, headers, body, client }) => {
      const requested = chooseContent(content, { query, headers, client }, 'cma:write');
      const update = { id: path.id, body, ...condition(headers), ...parseBase(headers) };
      if (query.validate === 'true')
        return okChecked(await requested.trial(client).update(update, client), requested);
      if (headers['idempotency-key'] === undefined) {
        const updated = await requested.updateText(update, client);
        const { headers: tags, ...response } = okText(updated, requested);
        return { ...response, headers: { ...tags, ...toChangeHeader(updated) } };
      }
      const identity = { ...update, id: path.id.toLowerCase() };
      const request = identifyRequest(operationIn('updateAsset', query), { body: identity, headers, client });
      return withIdempotencyKey(
        { ...request, ...assetOf(path) },
        {
          run: async (reserved) => okWritten(await requested.update(update, client, reserved), requested),
          ...rebuildIn(query),
        },
      );
    }),

    patchAsset: inRelease(async ({ path, query, headers, contentType, body, client }) => {
      const requested = chooseContent(content, { query, headers, client }, 'cma:write');
      const read = isJsonPatch(contentType) ? readJsonPatch : readMergePatch;
      // A validated body is JSON.
      const patch = read(body as Json);
      const conditions = condition(headers);
      const patching = { id: path.id, patch, ...conditions };
      if (query.validate === 'true')
        return okChecked(await requested.trial(client).patch(patching, client), requested);
      const identity = { ...conditions, id: path.id.toLowerCase(), body };
      const request = identifyRequest(operationIn('patchAsset', query), { body: identity, headers, client });
      return withIdempotencyKey(
        { ...request, ...assetOf(path) },
        {
          run: async (reserved) => okWritten(await requested.patch(patching, client, reserved), requested),
          ...rebuildIn(query),
        },
      );
    }),

    deleteAsset: inRelease(async ({ path, query, headers, client }) => {
      const isErased = query.erase === 'true';
      const isDiscarded = query.discard === 'true';
      const { release } = query;
      assertDeletion(query);
      const requested =
        release === undefined
          ? undefined
          : openReleaseAs(client, content, { release, run: headers['x-run'] });
      if (!requested) assertScope(client, isErased ? 'admin' : 'cma:write');
      const deletion = { id: path.id, ...condition(headers) };
      const identity = {
        ...deletion,
        id: path.id.toLowerCase(),
        isErased,
        ...(isDiscarded && { isDiscarded }),
      };
      const request = identifyRequest(operationIn('deleteAsset', query), { body: identity, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const deleted = isErased
            ? await erase({ ...deletion, ...(reserved && { reserved }) }, client)
            : isDiscarded && requested
              ? await requested.discard(deletion, client, reserved)
              : await (requested ?? content).delete(deletion, client, reserved);
          return { ...ok(null), headers: toChangeHeader(deleted) };
        },
      });
    }),

    batchAssets: inRelease(async ({ body: checked, query, headers, client, senderFields, signal }) => {
      const requested = chooseContent(content, { query, headers, client }, 'cma:write');
      const { shapeOf } = requested;
      if (query.validate === 'true') {
        const outcomes = await requested.trial(client).batch(readBatch(checked), { ...client, signal });
        return {
          ...ok(toBatchResults(outcomes.map(withoutVersion), shapeOf)),
          usedTypes: typesOf(outcomes),
        };
      }
      const request = identifyRequest(operationIn('batchAssets', query), {
        body: checked.body,
        headers,
        client,
      });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const outcomes = await requested.batch(readBatch(checked), { ...client, signal }, reserved);
          const failure = findFailure(outcomes);
          if (failure) logger.error({ ...senderFields, err: failure }, 'operations of a batch failed');
          return { ...ok(toBatchResults(outcomes, shapeOf)), usedTypes: typesOf(outcomes) };
        },
        // Sent again, a batch that has used up its time goes on.
        isFinal: ({ body }) =>
          body.result.results.every(
            (result) =>
              result.status < 500 && !('error' in result && result.error?.code === 'batch_too_costly'),
          ),
      });
    }),
  };
}

/** Returns the asset of a path; a text that is not a UUID is the `_id` of none. */
const assetOf = ({ id }: { readonly id: string }) => (isUuid(id) ? { asset: id.toLowerCase() } : {});

/** Parses the header If-Match. Errors: invalid_parameter. */
export function condition(headers: { readonly 'if-match'?: string }): { ifVersions?: readonly string[] } {
  const ifVersions = parseIfMatch(headers['if-match']);
  return ifVersions ? { ifVersions } : {};
}
