/**
 * The handlers of the content management API: from a request of openapi/cma.yaml to the content service and back.
 */
import type { Operations } from '../../../generated/server/cma.ts';
import type { ApiClient } from '../../access/api-clients.ts';
import type { KeyedRequests } from '../../access/keyed-requests.ts';
import { assertScope } from '../../access/scopes.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { StoredAsset } from '../../store/port.ts';
import { createAnswerOnce, type OnceRequest } from '../answer-once.ts';
import type { OperationHandlers } from '../api.ts';
import { findFailure, toBatchResults } from '../batch-answer.ts';
import { hasVersion, parseIfMatch, toEntityTag } from '../entity-tag.ts';
import { readBatch } from '../read-batch.ts';

const maxLimit = 1000;
const defaultLimit = 10;

/** What the handlers work with. */
export interface CmaServices {
  /** The content that users write. */
  readonly content: ContentService;
  readonly requests: KeyedRequests;
  readonly logger: Logger;
}

/** Makes the handlers. */
export function createCmaHandlers({
  content,
  requests,
  logger,
}: CmaServices): OperationHandlers<Operations, { readonly client: ApiClient }> {
  const answerOnce = createAnswerOnce(requests);
  return {
    async queryAssets({ query, client }) {
      assertScope(client, 'cma:read');
      const { from, where, values = [], offset, limit, count } = query;
      const page = await content.find(
        {
          from,
          ...(where === undefined ? {} : { where }),
          values: [values].flat(),
          offset: readCount('offset', offset, { fallback: 0, max: Number.MAX_SAFE_INTEGER }),
          limit: readCount('limit', limit, { fallback: defaultLimit, max: maxLimit }),
          withCount: count !== 'false',
        },
        client,
      );
      // The total first, where a reader sees it.
      const { items, ...total } = page;
      return ok({ ...total, items: [...items] });
    },

    async createAsset({ body, headers, client }) {
      assertScope(client, 'cma:write');
      const request = toOnceRequest('createAsset', { body, headers, client });
      return answerOnce(request, {
        run: async (reserved) => okAsset(await content.create(body, client, reserved)),
      });
    },

    async getAsset({ path, headers, client }) {
      assertScope(client, 'cma:read');
      const stored = await content.get(path.id, client);
      return hasVersion(headers['if-none-match'], stored.version)
        ? { status: 304 as const, headers: { ETag: toEntityTag(stored.version) } }
        : okAsset(stored);
    },

    async updateAsset({ path, headers, body, client }) {
      assertScope(client, 'cma:write');
      return okAsset(await content.update({ id: path.id, body, ...condition(headers) }, client));
    },

    async deleteAsset({ path, headers, client }) {
      assertScope(client, 'cma:write');
      await content.delete({ id: path.id, ...condition(headers) }, client);
      return ok(null);
    },

    async batchAssets({ body, headers, client, requestId }) {
      assertScope(client, 'cma:write');
      const request = toOnceRequest('batchAssets', { body, headers, client });
      return answerOnce(request, {
        async run(reserved) {
          const outcomes = await content.batch(readBatch(body), client, reserved);
          const failure = findFailure(outcomes);
          if (failure) logger.error({ requestId, err: failure }, 'operations of a batch failed');
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

function toOnceRequest(operationId: keyof Operations, { body, headers, client }: KeyedPost): OnceRequest {
  // What has been read as a body is JSON.
  return {
    operationId,
    clientId: client.clientId,
    key: headers['idempotency-key'],
    body: body as JsonObject,
  };
}

function ok<Result>(result: Result) {
  return { status: 200 as const, body: { status: 'ok' as const, result } };
}

function okAsset({ asset, version }: StoredAsset) {
  return { ...ok(asset), headers: { ETag: toEntityTag(version) } };
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
