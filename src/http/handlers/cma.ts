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
import type { ContentService } from '../../content/content-service.ts';
import { watchPage } from '../../content/unfit/check-page.ts';
import type { UnfitField } from '../../content/unfit/unfit-content.ts';
import type { WrittenAsset } from '../../content/written-asset.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { StoredAsset, StoredText } from '../../store/port.ts';
import type { OperationHandlers } from '../api.ts';
import { createIdempotencyKeyHandler, type RequestIdentity } from '../credentials/idempotency-key.ts';
import { readBatch } from '../request/read-batch.ts';
import { readMoment } from '../request/read-moment.ts';
import { findFailure, toBatchResults } from '../response/batch-response.ts';
import { toChangeHeader } from '../response/change-header.ts';
import { hasEntityTag, parseBase, parseIfMatch, toEntityTag } from '../response/entity-tag.ts';
import { pageResponse } from '../response/streamed-body.ts';

const maxLimit = 1000;
const defaultLimit = 10;

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

/** The operations of `cma-history.ts`. */
export type HistoryOperation = 'listAssetHistory' | 'restoreAsset';

/** Creates the handlers. */
export function createCmaHandlers({
  basePath,
  content,
  requests,
  erase,
  logger,
}: CmaServices): Omit<CmaHandlers, HistoryOperation> {
  const withIdempotencyKey = createIdempotencyKeyHandler(requests);
  return {
    async queryAssets({ query, client, signal }) {
      assertScope(client, 'cma:read');
      const { from, where, values = [], offset, limit, count } = query;
      const page = await content.openTexts(
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
      // `count` comes first, so that it is easy to see in a long answer.
      const countMember = total === undefined ? {} : { count: total };
      const { watched, unfit } = watchPage(page, content.unfit);
      return pageResponse(watched, (items) => ok({ ...countMember, items }, unfit).body);
    },

    async createAsset({ body, headers, client }) {
      assertScope(client, 'cma:write');
      const request = identifyRequest('createAsset', { body, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const created = await content.create(body, client, reserved);
          const { headers, ...response } = okWritten(created, content);
          return { ...response, headers: { ...headers, Location: `${basePath}/${created.asset._id}` } };
        },
        assetIn: ({ body }) => body.result._id,
      });
    },

    async getAsset({ path, query, headers, client }) {
      const moment = readMoment(query);
      assertScope(client, moment ? 'history' : 'cma:read');
      const response = moment
        ? okPastAsset(await content.history.get({ id: path.id, moment }, client), content)
        : okText(await content.getText(path.id, client), content);
      const isUnchanged = hasEntityTag(headers['if-none-match'], response.headers.ETag);
      // The text is not sent, but its length decides whether the ETag is that of a compressed response.
      const text = 'text' in response ? { text: response.text } : {};
      return isUnchanged ? { status: 304 as const, headers: response.headers, ...text } : response;
    },

    async updateAsset({ path, headers, body, client }) {
      assertScope(client, 'cma:write');
      const update = { id: path.id, body, ...condition(headers), ...parseBase(headers) };
      const updated = await content.updateText(update, client);
      const { headers: tags, ...response } = okText(updated, content);
      return { ...response, headers: { ...tags, ...toChangeHeader(updated) } };
    },

    async deleteAsset({ path, query, headers, client }) {
      if (query.erase === 'true') {
        assertScope(client, 'admin');
        const erased = await erase({ id: path.id, ...condition(headers) }, client);
        return { ...ok(null), headers: toChangeHeader(erased) };
      }
      assertScope(client, 'cma:write');
      const deleted = await content.delete({ id: path.id, ...condition(headers) }, client);
      return { ...ok(null), headers: toChangeHeader(deleted) };
    },

    async batchAssets({ body: checked, headers, client, senderFields, signal }) {
      assertScope(client, 'cma:write');
      const request = identifyRequest('batchAssets', { body: checked.body, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const outcomes = await content.batch(readBatch(checked), { ...client, signal }, reserved);
          const failure = findFailure(outcomes);
          if (failure) logger.error({ ...senderFields, err: failure }, 'operations of a batch failed');
          return ok(toBatchResults(outcomes, content.shapeOf));
        },
        isFinal: ({ body }) => body.result.results.every(({ status }) => status < 500),
      });
    },
  };
}

interface IdempotentPost {
  readonly body: object;
  readonly headers: { readonly 'idempotency-key'?: string };
  readonly client: ApiClient;
}

function identifyRequest(
  operationId: keyof Operations,
  { body, headers, client }: IdempotentPost,
): RequestIdentity {
  // A body is parsed from JSON.
  return {
    operationId,
    clientId: client.clientId,
    key: headers['idempotency-key'],
    body: body as JsonObject,
  };
}

/** Creates the response with a result. */
export function ok<Result>(result: Result, unfit: readonly UnfitField[] = []) {
  const body = { status: 'ok' as const, result, ...(unfit.length > 0 ? { unfit } : {}) };
  return { status: 200 as const, body };
}

function okAsset(
  { asset, version }: StoredAsset,
  { unfit, shapeOf }: Pick<ContentService, 'unfit' | 'shapeOf'>,
) {
  return {
    ...ok(asset, unfit.checkAll([asset])),
    headers: { ETag: toEntityTag(version, shapeOf(asset._type)) },
  };
}

/** Creates the same response as `okAsset` from a text. */
function okText(stored: StoredText, { unfit, shapeOf }: Pick<ContentService, 'unfit' | 'shapeOf'>) {
  const { text, version, type } = stored;
  const flaws = unfit.checkTexts([stored]);
  const more = flaws.length > 0 ? `,"unfit":${JSON.stringify(flaws)}` : '';
  return {
    status: 200 as const,
    text: `{"status":"ok","result":${text}${more}}`,
    headers: { ETag: toEntityTag(version, shapeOf(type)) },
  };
}

/** Creates the response to a write of an asset. */
export function okWritten(written: WrittenAsset, content: ContentService) {
  const { headers, ...response } = okAsset(written, content);
  return { ...response, headers: { ...headers, ...toChangeHeader(written) } };
}

function okPastAsset(stored: StoredAsset, content: ContentService) {
  const { headers } = okAsset(stored, content);
  return { ...ok(stored.asset, content.unfit.checkPast(stored.asset)), headers };
}

/** Parses the header If-Match. Errors: invalid_parameter. */
export function condition(headers: { readonly 'if-match'?: string }): { ifVersions?: readonly string[] } {
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
