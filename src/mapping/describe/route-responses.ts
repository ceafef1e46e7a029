/**
 * The OpenAPI responses of mapped routes: shared components, and the responses of one operation.
 */
import type { Access } from '../../access/endpoint-access.ts';
import type { PreparedOperation } from '../../graphql/operation.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { anyTag, typeTag } from '../../text/cache-tags.ts';
import { separatorOf } from '../cache-tags/route-cache-tags.ts';
import type { ReadyRoute } from '../routes/build-routes.ts';
import { toCacheControl } from './cache-control.ts';
import { placeSchema } from './json-schema.ts';

/** The facts that the responses of an operation depend on. */
export interface ResponseFacts {
  readonly access: Access;
  readonly kind: PreparedOperation['kind'];
  /** Whether it may be cached and revalidated by its ETag. */
  readonly cacheable: boolean;
  readonly cacheSeconds: number;
  /** The name of the header with the cache tags. */
  readonly cacheTags: string | undefined;
  /** Whether it accepts an idempotency key. */
  readonly acceptsKey: boolean;
  /** The schema of `data`. */
  readonly data: JsonObject;
  readonly places: ReadyRoute['places'];
}

/** Describes the responses of one operation by status. */
export function documentResponses(facts: ResponseFacts): JsonObject {
  const { access, kind, cacheable, cacheSeconds, cacheTags, acceptsKey, data, places } = facts;
  const cacheControl = { 'Cache-Control': cacheControlHeader({ access, cacheable, cacheSeconds }) };
  const validators = cacheable ? { ETag: refer('headers/ETag') } : {};
  const vary = cacheable && access !== 'ANYONE' ? { Vary: refer('headers/Vary') } : {};
  const tags = cacheable && cacheTags !== undefined ? { [cacheTags]: refer('headers/CacheTags') } : {};
  const replayed = acceptsKey ? { 'Idempotency-Replayed': replayedHeader } : {};
  const headers = { ...cacheControl, ...validators, ...vary, ...tags, ...replayed };
  return {
    200: places.result
      ? {
          description: 'The value.',
          headers: { ...headers, 'X-Unfit': unfit },
          content: json(placeSchema(places.result)),
        }
      : { description: 'The data.', headers, content: json(responseSchema(data, kind)) },
    ...(cacheable ? { 304: { description: 'The data is what `If-None-Match` names.', headers } } : {}),
    400: refer('responses/BadRequest'),
    ...(access === 'ANYONE'
      ? {}
      : { 401: refer('responses/Unauthorized'), 403: refer('responses/Forbidden') }),
    ...(places.notFound
      ? {
          404: {
            description: notFound,
            headers: { 'Cache-Control': noStore },
            content: json(responseSchema(data, kind)),
          },
        }
      : {}),
    429: refer('responses/RateLimited'),
    500: refer('responses/Failure'),
    503: refer('responses/Busy'),
    default: refer('responses/OtherError'),
  };
}

/** Describes the components that the responses refer to. */
export function sharedResponses(
  access: Access,
  cacheTags: string | undefined,
): {
  schemas: JsonObject;
  headers: JsonObject;
  responses: JsonObject;
} {
  const known = {
    BadRequest:
      'A parameter, the body or the operation is wrong, or the response would be too large (`answer_too_large`).',
    Failure: 'The service failed; its log says why.',
    OtherError: 'Another error, with the status that its first error has.',
  };
  const refused = {
    Unauthorized: 'Credentials are missing or wrong.',
    Forbidden: 'The API client may not do this.',
  };
  const content = json(refer('schemas/GraphqlErrors'));
  const headers = { 'Cache-Control': noStore, 'Retry-After': retryAfter };
  const busy =
    'The server has too many requests at once, or the store cannot take the work now, or part of it; the same request may succeed later.';
  const limited = [
    'The sender has caused more work than the server allows; `RateLimit` says what is left.',
    ...(access === 'ANYONE' ? [] : ['Or too many credentials from its address were wrong.']),
    'Nothing was done.',
  ].join(' ');
  const descriptions = access === 'ANYONE' ? known : { ...known, ...refused };
  return {
    schemas: {
      GraphqlError: errorSchema,
      GraphqlErrors: errorsSchema,
      GraphqlExtensions: extensionsSchema,
    },
    headers: {
      ETag: etagHeader,
      ...(access === 'ANYONE' ? {} : { Vary: varyHeader }),
      ...(cacheTags === undefined ? {} : { CacheTags: cacheTagsHeader(cacheTags) }),
    },
    responses: {
      ...Object.fromEntries(
        Object.entries(descriptions).map(([name, description]) => [
          name,
          { description, headers: { 'Cache-Control': noStore }, content },
        ]),
      ),
      RateLimited: { description: limited, headers, content },
      Busy: { description: busy, headers, content },
    },
  };
}

const refer = (component: string) => ({ $ref: `#/components/${component}` });

const json = (schema: JsonObject) => ({ 'application/json': { schema } });

function responseSchema(data: JsonObject, kind: ResponseFacts['kind']): JsonObject {
  const errors: JsonObject = { type: 'array', items: refer('schemas/GraphqlError') };
  const extensions = kind === 'mutation' ? { extensions: refer('schemas/GraphqlExtensions') } : {};
  return { type: 'object', required: ['data'], properties: { data, errors, ...extensions } };
}

function cacheControlHeader({
  access,
  cacheable,
  cacheSeconds,
}: Pick<ResponseFacts, 'access' | 'cacheable' | 'cacheSeconds'>): JsonObject {
  if (!cacheable) return noStore;
  const example = toCacheControl(access, cacheSeconds);
  return { description: 'For how long the response may be reused.', schema: { type: 'string' }, example };
}

const noStore: JsonObject = {
  description: 'That the response must not be kept.',
  schema: { type: 'string' },
  example: 'no-store',
};

const notFound = 'There is nothing to return: the value that the response is about is null.';

const unfit: JsonObject = {
  description: 'The number of values that do not fit their content type and are null here; absent for none.',
  required: false,
  schema: { type: 'integer', minimum: 1 },
};

const retryAfter: JsonObject = {
  description: 'How many seconds to wait before the request is sent again.',
  schema: { type: 'integer', minimum: 0 },
  example: 1,
};

const etagHeader: JsonObject = {
  description: 'Names this response, for `If-None-Match`; weak if the response is compressed.',
  schema: { type: 'string' },
  example: '"fq9UCrXUVJemoRpX2c69NMwfu4UAA6pU7x9n7W_OMfc"',
};

const varyHeader: JsonObject = {
  description: 'The headers that the response depends on.',
  schema: { type: 'string' },
  example: 'Authorization, X-Client-Id, X-Client-Secret, X-API-Key, Accept-Encoding',
};

const replayedHeader: JsonObject = {
  required: false,
  description:
    'Set to `true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
  schema: { type: 'string', enum: ['true'] },
};

const cacheTagsHeader = (header: string): JsonObject => ({
  description: 'The cache tags: the assets and types that the response was made from.',
  schema: { type: 'string' },
  example: [anyTag('com.example.news.Article'), typeTag('com.example.news.Article')].join(
    separatorOf(header),
  ),
});

const errorSchema: JsonObject = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string' },
    locations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['line', 'column'],
        properties: { line: { type: 'integer' }, column: { type: 'integer' } },
      },
    },
    path: { type: 'array', items: { type: ['string', 'integer'] } },
    extensions: { type: 'object', properties: { code: { type: 'string' } } },
  },
};

const errorsSchema: JsonObject = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: { type: 'array', minItems: 1, items: refer('schemas/GraphqlError') },
    data: { type: ['object', 'null'], description: 'What there is in spite of the errors.' },
    extensions: refer('schemas/GraphqlExtensions'),
  },
};

const extensionsSchema: JsonObject = {
  type: 'object',
  properties: {
    changes: {
      type: 'array',
      description: 'The IDs of the writes of a mutation in the change log, in order.',
      items: { type: 'string' },
    },
  },
};
