/**
 * The handlers of the content management API: from a request of openapi/cma.yaml to the content service and back.
 */
import { assertScope } from '../../access/scopes.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { StoredAsset } from '../../store/port.ts';
import type { OperationHandlers, OperationRequest } from '../api.ts';
import { hasVersion, parseIfMatch, toEntityTag } from '../entity-tag.ts';
import type { HttpAnswer } from '../error-map.ts';

type CmaOperation = 'queryAssets' | 'createAsset' | 'getAsset' | 'updateAsset' | 'deleteAsset';

const maxLimit = 1000;
const defaultLimit = 10;

/** Makes the handlers over the content that users write. */
export function createCmaHandlers(content: ContentService): OperationHandlers<CmaOperation> {
  return {
    async queryAssets({ query, client }) {
      assertScope(client, 'cma:read');
      const where = one(query.where);
      const page = await content.find(
        {
          from: one(query.from) ?? '',
          ...(where === undefined ? {} : { where }),
          values: many(query.values),
          offset: readCount('offset', one(query.offset), { fallback: 0, max: Number.MAX_SAFE_INTEGER }),
          limit: readCount('limit', one(query.limit), { fallback: defaultLimit, max: maxLimit }),
          withCount: true,
        },
        client,
      );
      return ok({ count: page.count, items: page.items });
    },

    async createAsset({ body, client }) {
      assertScope(client, 'cma:write');
      return okAsset(await content.create(body, client));
    },

    async getAsset({ params, headers, client }) {
      assertScope(client, 'cma:read');
      const stored = await content.get(idOf(params), client);
      return hasVersion(headers['if-none-match'], stored.version)
        ? { status: 304, headers: { ETag: toEntityTag(stored.version) } }
        : okAsset(stored);
    },

    async updateAsset({ params, headers, body, client }) {
      assertScope(client, 'cma:write');
      return okAsset(await content.update({ id: idOf(params), body, ...condition(headers) }, client));
    },

    async deleteAsset({ params, headers, client }) {
      assertScope(client, 'cma:write');
      await content.delete({ id: idOf(params), ...condition(headers) }, client);
      return ok(null);
    },
  };
}

function ok(result: unknown): HttpAnswer {
  return { status: 200, body: { status: 'ok', result } };
}

function okAsset({ asset, version }: StoredAsset): HttpAnswer {
  return { ...ok(asset), headers: { ETag: toEntityTag(version) } };
}

/** An ID that is no UUID is looked up like any other, and not found. */
function idOf(params: OperationRequest['params']): string {
  return params.id ?? '';
}

function condition(headers: OperationRequest['headers']): { ifVersions?: readonly string[] } {
  const ifVersions = parseIfMatch(headers['if-match']);
  return ifVersions ? { ifVersions } : {};
}

function one(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

function many(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
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
