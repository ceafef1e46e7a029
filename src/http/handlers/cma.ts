/**
 * The handlers of the content management API: they translate between requests of openapi/cma.yaml and the content service.
 */

import type * as api from '../../../generated/server/cma.ts';
import type { Operations } from '../../../generated/server/cma.ts';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import type { EraseWithResponses } from '../../access/idempotency/erase-with-responses.ts';
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { invalidBody, invalidParameter, isDomainError, type Problem } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import { isUuid } from '../../base/uuid.ts';
import type { BatchOperation, BatchRequest } from '../../content/batch/batch.ts';
import type { ContentService } from '../../content/content-service.ts';
import { readJsonPatch, readMergePatch, readPatch } from '../../content/patch/patch-asset.ts';
import type { UploadFile } from '../../files/upload-file.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import type { CheckedBody } from '../../model/values/checked-body.ts';
import {
  type AssetState,
  createIdempotencyKeyHandler,
  identifyRequest,
} from '../credentials/idempotency-key.ts';
import type { OperationHandlers } from '../operation-handlers.ts';
import { readQueryBody, readQueryParameters, readSelection } from '../request/read-asset-query.ts';
import { isJsonPatch } from '../request/read-body.ts';
import {
  findFailure,
  hasEntityTag,
  ok,
  okChecked,
  okPastAsset,
  okText,
  okWritten,
  parseBase,
  parseIfMatch,
  parseVersion,
  toBatchResults,
  toChangeHeader,
  typesOf,
  withoutVersion,
} from '../response/streamed-body.ts';
import {
  assertDeletion,
  bindToRelease,
  type ContentChoice,
  chooseContent,
  createCmaReader,
  inRelease,
  openReleaseAs,
  operationIn,
  readMoment,
  releaseQuery,
} from './cma-reads.ts';

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

/** The operations of `cma-changes.ts`, and that of files. */
export type FeedOperation = 'listChanges';
type FileOperation = 'uploadFile';
export type HistoryOperation = 'listAssetHistory' | 'restoreAsset' | 'withdrawAsset';

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
      if (query.validate === 'true') {
        await (requested ?? content).trial(client).delete(deletion, client);
        return ok(null);
      }
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

/** Creates the handler. */
export function createCmaFileHandlers(upload: UploadFile): Pick<CmaHandlers, FileOperation> {
  return {
    async uploadFile({ query, body, client }) {
      if (!client.scopes.includes('cma:draft')) assertScope(client, 'cma:write');
      return ok(await upload({ open: body.open, name: query.name }));
    },
  };
}

// Reads the body of a batch after its schema has been checked. A body that is not a batch is rejected as a whole; a problem in one
// operation rejects only that operation.

/** Reads a body. Errors: invalid_body. */
function readBatch({ body, problems }: CheckedBody): BatchRequest {
  const batchProblems = problems.filter(({ path }) => !inOperation.test(path));
  if (batchProblems.length > 0) throw invalidBody(batchProblems);
  // The schema found problems in single operations at most, so the body is a batch.
  const {
    operations,
    atomic = false,
    references = 'checked',
    updateDates,
    skipUnchanged,
  } = body as unknown as api.BatchRequest;
  const byOperation = Map.groupBy(problems, ({ path }) => Number(inOperation.exec(path)?.[1]));
  return {
    operations: operations.map((operation, index) => readOperation(operation, byOperation.get(index) ?? [])),
    atomic,
    references,
    updateDates,
    skipUnchanged,
  };
}

const inOperation = /^operations\[(\d+)\]\.?/;

function readOperation(operation: api.BatchOperation, problems: readonly Problem[]): BatchOperation {
  try {
    const operationProblems = problems
      .map((problem) => ({ ...problem, path: problem.path.replace(inOperation, '') }))
      .filter(({ path }) => !isCheckedElsewhere(path, operation));
    if (operationProblems.length > 0) throw invalidBody(operationProblems);
    return readAction(operation);
  } catch (error) {
    if (isDomainError(error)) return { action: 'unreadable', error };
    throw error;
  }
}

/** Tells whether a later check reports the path with a better message: assets by their content type, patches and tags by their parsers. */
function isCheckedElsewhere(path: string, operation: api.BatchOperation): boolean {
  if (path.startsWith('asset.')) return true;
  const { action, ifMatch, baseVersion, patch } = Object(operation);
  if (/^patch\b/.test(path)) return action === 'patch' && patch !== undefined;
  if (path === 'baseVersion') return typeof baseVersion === 'string' && ['update', 'upsert'].includes(action);
  return path === 'ifMatch' && typeof ifMatch === 'string' && ['update', 'patch', 'delete'].includes(action);
}

function readAction(operation: api.BatchOperation): BatchOperation {
  switch (operation.action) {
    case 'create':
      return { action: operation.action, asset: toJson(operation.asset) };
    case 'update': {
      const { action, asset, by = '_id' } = operation;
      return { action, asset: toJson(asset), by, ...readCondition(operation), ...readBase(operation) };
    }
    case 'upsert': {
      const { action, asset, by = '_id' } = operation;
      return { action, asset: toJson(asset), by, ...readBase(operation) };
    }
    case 'replace': {
      const { action, asset, by = '_id' } = operation;
      return { action, asset: toJson(asset), by };
    }
    case 'patch': {
      const { action, id } = operation;
      if (!isUuid(id)) throw invalidBody([{ path: 'id', message: 'must be a UUID' }]);
      const document = operation.patch as Json;
      return { action, id, document, patch: readPatch(document, 'patch'), ...readCondition(operation) };
    }
    case 'delete':
      if (!isUuid(operation.id)) throw invalidBody([{ path: 'id', message: 'must be a UUID' }]);
      return { action: operation.action, id: operation.id, ...readCondition(operation) };
  }
}

/** Returns an asset as parsed JSON; the generated types do not know its fields. */
function toJson(asset: api.AssetCreate | api.AssetUpdate): JsonObject {
  return asset as JsonObject;
}

function readBase({ baseVersion }: { readonly baseVersion?: string }): { baseVersion?: string } {
  return baseVersion === undefined ? {} : { baseVersion: parseVersion(baseVersion, 'baseVersion') };
}

function readCondition({ ifMatch }: { readonly ifMatch?: string }): { ifVersions?: readonly string[] } {
  const ifVersions = parseIfMatch(ifMatch, 'ifMatch');
  return ifVersions ? { ifVersions } : {};
}
