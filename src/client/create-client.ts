/**
 * Creates the client of the content management API: each function sends a request and returns the response's `result`.
 */
import { randomKey } from './clock-and-random.ts';
import { basePath, operations } from './cma/operations.gen.ts';
import type { Asset, IncludedAssets, UnfitFields } from './cma/types.gen.ts';
import type { AssetState, CmaClient, GetOptions, Selection, Written } from './cma-client.ts';
import {
  type CallOptions,
  type ConnectionOptions,
  createConnection,
  type Idempotency,
} from './connection.ts';
import { eachAsset } from './each-asset.ts';
import { toFilePath } from './file-path.ts';
import { followChanges } from './follow-changes.ts';
import type { UnfitNotes } from './query-types.ts';
import { readEvents } from './read-events.ts';
import { readResult, type SuccessResponse } from './read-response.ts';
import { type ServerRequest, sendRequest } from './send-request.ts';

/** The server's address and the API client's credentials. */
export interface ClientOptions extends ConnectionOptions {
  clientId: string;
  clientSecret: string;
  /** The base path of the content management API, if it is not the default. */
  cmaPath?: string | undefined;
  /** The name of the run that all writes belong to, by which they can be reverted together. */
  run?: string | undefined;
}

type OperationId = keyof typeof operations;

/** Longer queries are sent in a body. Servers and proxies accept URLs of 8,000 characters, as RFC 9110 recommends. */
const maxQueryCharacters = 7_500;

/** An operation's request, apart from its method and path. */
interface OperationCall extends Pick<ServerRequest, 'body' | 'file' | 'repeatable' | 'signal'> {
  readonly id?: string;
  readonly query?: object;
  /** Headers without a value are not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Creates a client of the content management API; it sends nothing until one of its functions is called. */
export function createClient({
  clientId,
  clientSecret,
  cmaPath = basePath,
  run,
  ...options
}: ClientOptions): CmaClient {
  const connection = createConnection(options, {
    'X-Client-Id': clientId,
    'X-Client-Secret': clientSecret,
    ...(run !== undefined && { 'X-Run': run }),
  });
  if (!/^(\/[^/?#]+)+$/.test(cmaPath)) throw new TypeError(`cmaPath must be a path such as ${basePath}`);

  function send(
    operation: OperationId,
    { id, query, headers, ...request }: OperationCall,
  ): Promise<SuccessResponse> {
    const { method, path } = operations[operation];
    return sendRequest(connection, {
      ...request,
      method,
      path:
        cmaPath + (id === undefined ? path : path.replace('{id}', () => encodeId(id))) + encodeQuery(query),
      headers: checkHeaders(headers),
    });
  }

  async function findPage<Page>(query: object, signal: AbortSignal | undefined): Promise<Page> {
    const isLong = encodeQuery(query).length > maxQueryCharacters;
    const response = isLong
      ? await send('postAssetQuery', { body: withTexts(query), signal, repeatable: true })
      : await send('queryAssets', { query, signal, repeatable: true });
    return { ...readResult<Page>(response), ...unfitOf(response) };
  }

  async function readFeedPage<Page>(query: object, signal: AbortSignal | undefined): Promise<Page> {
    const response = await send('listChanges', { query, signal, repeatable: true });
    return { ...readResult<Page>(response), ...unfitOf(response) };
  }

  async function getAsset(id: string, { ifNoneMatch, signal, fields, include }: GetOptions & Selection = {}) {
    const headers = { 'If-None-Match': ifNoneMatch };
    const query = { fields, include };
    const response = await send('getAsset', { id, query, headers, signal, repeatable: true });
    return ifNoneMatch !== undefined && response.status === 304 ? undefined : stateOf<Asset>(response);
  }

  const client: CmaClient = {
    queryAssets: (query, { signal } = {}) => findPage(query, signal),
    eachAsset: (query, { signal } = {}) => eachAsset(query, (page) => findPage(page, signal)),
    listChanges: (query, { signal } = {}) => readFeedPage(query, signal),
    changes: ({ cursor, ...query }, { signal, onSnapshot } = {}) =>
      followChanges(
        {
          readPage: (at) => readFeedPage({ ...query, cursor: at }, signal),
          readLive: (at) => {
            const path = cmaPath + operations.listChanges.path + encodeQuery(query);
            return readEvents(connection, { path, headers: checkHeaders({ 'Last-Event-ID': at }), signal });
          },
        },
        { cursor: cursor === '' ? undefined : cursor, waits: connection.waits, signal, onSnapshot },
      ),
    createAsset: async (asset, { validate, ...options } = {}) =>
      writtenOf(
        await send('createAsset', { body: asset, query: checking(validate), ...keyed(options) }),
        validate,
      ),
    async uploadFile(file, { name = nameOf(file), onProgress, signal } = {}) {
      const blob = file instanceof Blob ? file : new Blob([file]);
      const request = { query: { name }, file: { blob, onProgress }, signal, repeatable: true };
      return readResult(await send('uploadFile', request));
    },
    fileUrl: (file, variant) => connection.baseUrl + toFilePath(file, variant),
    batchAssets: async (batch, { validate, ...options } = {}) =>
      readResult(await send('batchAssets', { body: batch, query: checking(validate), ...keyed(options) })),
    // A response has the members that the overloads and the selection promise.
    getAsset: getAsset as CmaClient['getAsset'],
    async updateAsset(id, changes, { ifMatch, baseVersion, validate, ...options } = {}) {
      const conditions = { 'If-Match': ifMatch, 'X-Base-Version': baseVersion };
      const request = { id, body: changes, query: checking(validate), ...keyed(options, conditions) };
      return writtenOf(await send('updateAsset', request), validate);
    },
    async patchAsset(id, patch, { ifMatch, validate, ...options } = {}) {
      const type = Array.isArray(patch) ? 'application/json-patch+json' : 'application/merge-patch+json';
      const headers = { 'Content-Type': type, 'If-Match': ifMatch };
      const request = { id, body: patch, query: checking(validate), ...keyed(options, headers) };
      return writtenOf(await send('patchAsset', request), validate);
    },
    async deleteAsset(id, { ifMatch, ...options } = {}) {
      readResult(await send('deleteAsset', { id, ...keyed(options, { 'If-Match': ifMatch }) }));
    },
    listAssetHistory: async (id, { signal, ...query } = {}) =>
      readResult(await send('listAssetHistory', { id, query, signal, repeatable: true })),
    getPastAsset: async (id, { version, at }, { signal } = {}) =>
      stateOf(await send('getAsset', { id, query: { version, at }, signal, repeatable: true })),
    async restoreAsset(id, restoration, { ifMatch, validate, signal } = {}) {
      const headers = { 'If-Match': ifMatch };
      const repeatable = ifMatch === undefined || validate === true;
      const request = { id, body: restoration, query: checking(validate), headers, signal, repeatable };
      return writtenOf(await send('restoreAsset', request), validate);
    },
    withdrawAsset: async (id, { ifMatch: tag, signal } = {}) =>
      readResult(
        await send('withdrawAsset', { id, headers: { 'If-Match': tag }, signal, repeatable: false }),
      ),
    async eraseAsset(id, { ifMatch, ...options } = {}) {
      const request = { id, query: { erase: true }, ...keyed(options, { 'If-Match': ifMatch }) };
      readResult(await send('deleteAsset', request));
    },
  };
  return client;
}

/** Adds an idempotency key, so that a retry does not run the request twice. */
function keyed(
  { idempotencyKey = randomKey(), signal }: CallOptions & Idempotency,
  headers: Readonly<Record<string, string | undefined>> = {},
) {
  return { headers: { ...headers, 'Idempotency-Key': idempotencyKey }, signal, repeatable: true };
}

/** The name of a file that a user of a browser has chosen. */
const nameOf = (file: object) => ('name' in file ? String(file.name) : 'file');

/** The parameter of a write that is only checked. */
const checking = (validate: boolean | undefined) => (validate ? { validate } : {});

/** Refuses dot segments, which URL parsing would remove. */
function encodeId(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError(`An asset's ID cannot be "${id}"`);
  return encodeURIComponent(id);
}

function encodeQuery(query: object = {}): string {
  const pairs = Object.entries(query)
    .flatMap(([name, value]) => listOf(name, value).map((single) => [name, single]))
    .filter(([, single]) => single !== undefined)
    .map(([name, single]) => `${name}=${encodeURIComponent(String(single))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Only `values` is repeated for each item; other lists have commas between their items. */
const listOf = (name: string, value: unknown): readonly unknown[] =>
  Array.isArray(value) && name !== 'values' ? [value.join(',')] : [value].flat();

/** Returns a query as a body with the values that a URL has, so that both mean the same. */
const withTexts = ({
  values,
  sort,
  facets,
  ...query
}: {
  readonly values?: readonly unknown[];
  readonly sort?: string;
  readonly facets?: string;
}) => ({
  ...query,
  ...(facets !== undefined && { facets: facets.split(',') }),
  ...(values && { values: values.filter((value) => value !== undefined).map(String) }),
  ...(sort !== undefined && { sort: sort.split(',') }),
});

function checkHeaders(headers: OperationCall['headers'] = {}): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // An empty ETag, such as one that CORS hides, must not drop the condition.
    if (value === '') throw new RangeError(`${name} cannot be empty`);
    if (value !== undefined) given[name] = value;
  }
  return given;
}

function stateOf<Found>(response: SuccessResponse): AssetState<Found> {
  const etag = response.headers.get('ETag') ?? '';
  // A compressing proxy makes the ETag weak, and weak tags do not match in `If-Match`.
  const change = response.headers.get('X-Change');
  return {
    asset: readResult(response),
    etag: etag.replace(/^W\//, ''),
    ...(change !== null && { change }),
    ...includedOf(response),
    ...unfitOf(response),
  };
}

/** Reads the response to a write; without ETag and change if the write was only checked. */
function writtenOf<Found, Checked extends boolean>(
  response: SuccessResponse,
  validate: Checked | undefined,
): Written<Found, Checked> {
  const written = validate ? { asset: readResult(response), ...unfitOf(response) } : stateOf<Found>(response);
  // The type says the same as the condition.
  return written as Written<Found, Checked>;
}

function includedOf({ body }: SuccessResponse): { included?: IncludedAssets } {
  // The content management API documents this member.
  return body?.included ? { included: body.included as IncludedAssets } : {};
}

function unfitOf({ body }: SuccessResponse): UnfitNotes {
  // The content management API documents this member.
  return Array.isArray(body?.unfit) ? { unfit: body.unfit as UnfitFields } : {};
}
