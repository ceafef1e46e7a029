/**
 * The handlers of the content management API: from a request of openapi/cma.yaml to the content service and back.
 */
import type { Operations } from '../../../generated/server/cma.ts';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { watchPage } from '../../content/unfit/check-page.ts';
import type { UnfitField } from '../../content/unfit/unfit-content.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { StoredAsset } from '../../store/port.ts';
import type { OperationHandlers } from '../api.ts';
import { createIdempotencyKeyHandler, type RepeatableRequest } from '../credentials/idempotency-key.ts';
import { readBatch } from '../request/read-batch.ts';
import { findFailure, toBatchResults } from '../response/batch-response.ts';
import { hasVersion, parseIfMatch, toEntityTag } from '../response/entity-tag.ts';
import { answerPage } from '../response/streamed-body.ts';

const maxLimit = 1000;
const defaultLimit = 10;

/** What the handlers work with. */
export interface CmaServices {
  /** The path that the API is served under. */
  readonly basePath: string;
  /** The content that users write. */
  readonly content: ContentService;
  readonly requests: IdempotentRequests;
  readonly logger: Logger;
}

/** Makes the handlers. */
export function createCmaHandlers({
  basePath,
  content,
  requests,
  logger,
}: CmaServices): OperationHandlers<Operations, { readonly client: ApiClient }, 'batchAssets'> {
  const withIdempotencyKey = createIdempotencyKeyHandler(requests);
  return {
    async queryAssets({ query, client, signal }) {
      assertScope(client, 'cma:read');
      const { from, where, values = [], offset, limit, count } = query;
      const page = await content.open(
        {
          from,
          ...(where === undefined ? {} : { where }),
          values: [values].flat(),
          offset: readCount('offset', offset, { fallback: 0, max: Number.MAX_SAFE_INTEGER }),
          limit: readCount('limit', limit, { fallback: defaultLimit, max: maxLimit }),
          withCount: count !== 'false',
        },
        { ...client, signal },
      );
      const { count: total } = page;
      // The total first, where a reader sees it.
      const counted = total === undefined ? {} : { count: total };
      const { watched, unfit } = watchPage(page, content.unfit);
      return answerPage(watched, (items) => ok({ ...counted, items }, unfit).body);
    },

    async createAsset({ body, headers, client }) {
      assertScope(client, 'cma:write');
      const request = toRepeatableRequest('createAsset', { body, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const created = await content.create(body, client, reserved);
          const { headers, ...answer } = okAsset(created, content);
          return { ...answer, headers: { ...headers, Location: `${basePath}/${created.asset._id}` } };
        },
      });
    },

    async getAsset({ path, headers, client }) {
      assertScope(client, 'cma:read');
      const stored = await content.get(path.id, client);
      const answer = okAsset(stored, content);
      // What does not fit follows from the types, of which the version knows nothing: the caller may never have been told.
      const isKnown = !answer.body.unfit && hasVersion(headers['if-none-match'], stored.version);
      return isKnown ? { status: 304 as const, headers: answer.headers } : answer;
    },

    async updateAsset({ path, headers, body, client }) {
      assertScope(client, 'cma:write');
      const stored = await content.update({ id: path.id, body, ...condition(headers) }, client);
      return okAsset(stored, content);
    },

    async deleteAsset({ path, headers, client }) {
      assertScope(client, 'cma:write');
      await content.delete({ id: path.id, ...condition(headers) }, client);
      return ok(null);
    },

    async batchAssets({ body: checked, headers, client, logFacts, signal }) {
      assertScope(client, 'cma:write');
      const request = toRepeatableRequest('batchAssets', { body: checked.body, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const outcomes = await content.batch(readBatch(checked), { ...client, signal }, reserved);
          const failure = findFailure(outcomes);
          if (failure) logger.error({ ...logFacts, err: failure }, 'operations of a batch failed');
          return ok(toBatchResults(outcomes));
        },
        isFinal: ({ body }) => body.result.results.every(({ status }) => status < 500),
      });
    },
  };
}

interface KeyedPost {
  readonly body: object;
  readonly headers: { readonly 'idempotency-key'?: string };
  readonly client: ApiClient;
}

function toRepeatableRequest(
  operationId: keyof Operations,
  { body, headers, client }: KeyedPost,
): RepeatableRequest {
  // What has been read as a body is JSON.
  return {
    operationId,
    clientId: client.clientId,
    key: headers['idempotency-key'],
    body: body as JsonObject,
  };
}

function ok<Result>(result: Result, unfit: readonly UnfitField[] = []) {
  const body = { status: 'ok' as const, result, ...(unfit.length > 0 ? { unfit } : {}) };
  return { status: 200 as const, body };
}

function okAsset({ asset, version }: StoredAsset, { unfit }: Pick<ContentService, 'unfit'>) {
  return { ...ok(asset, unfit.checkAll([asset])), headers: { ETag: toEntityTag(version) } };
}

function condition(headers: { readonly 'if-match'?: string }): { ifVersions?: readonly string[] } {
  const ifVersions = parseIfMatch(headers['if-match']);
  return ifVersions ? { ifVersions } : {};
}

function readCount(
  name: string,
  text: string | undefined,
  { fallback, max }: { fallback: number; max: number },
): number {
  if (text === undefined) return fallback;
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= max) return count;
  throw invalidParameter(name, `must be a whole number from 0 to ${max}`);
}
