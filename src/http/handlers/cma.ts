/**
 * The handlers of the content management API: from a request of openapi/cma.yaml to the content service and back.
 */

import type { Operations } from '../../../generated/server/cma.ts';
import type { ApiClient } from '../../access/api-clients.ts';
import { assertScope } from '../../access/scopes.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { StoredAsset } from '../../store/port.ts';
import type { OperationHandlers } from '../api.ts';
import { toBatchResults } from '../batch-answer.ts';
import { hasVersion, parseIfMatch, toEntityTag } from '../entity-tag.ts';
import { readBatch } from '../read-batch.ts';

const maxLimit = 1000;
const defaultLimit = 10;

/** Makes the handlers over the content that users write. */
export function createCmaHandlers(
  content: ContentService,
): OperationHandlers<Operations, { readonly client: ApiClient }> {
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
      return ok({ ...page, items: [...page.items] });
    },

    async createAsset({ body, client }) {
      assertScope(client, 'cma:write');
      return okAsset(await content.create(body, client));
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

    async batchAssets({ body, client }) {
      assertScope(client, 'cma:write');
      const outcomes = await content.batch(readBatch(body), client);
      return ok(toBatchResults(outcomes));
    },
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
