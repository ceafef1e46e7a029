/**
 * Creates the client of the content management API: each function sends a request and returns the response's `result`.
 */

import { randomKey } from './clock-and-random.ts';
import { basePath, operations } from './cma/operations.gen.ts';
import type { Asset, UnfitFields } from './cma/types.gen.ts';
import type { AssetState, CmaClient, GetOptions, UnfitNotes } from './cma-client.ts';
import { type CallOptions, type ConnectionOptions, createConnection } from './connection.ts';
import { eachAsset } from './each-asset.ts';
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

/** An operation's request, apart from its method and path. */
interface OperationCall extends Pick<ServerRequest, 'body' | 'repeatable' | 'deletes' | 'signal'> {
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
    const response = await send('queryAssets', { query, signal, repeatable: true });
    return { ...readResult<Page>(response), ...unfitOf(response) };
  }

  async function getAsset(id: string, options?: CallOptions): Promise<AssetState<Asset>>;
  async function getAsset(id: string, options: GetOptions): Promise<AssetState<Asset> | undefined>;
  async function getAsset(id: string, { ifNoneMatch, signal }: GetOptions = {}) {
    const headers = { 'If-None-Match': ifNoneMatch };
    const response = await send('getAsset', { id, headers, signal, repeatable: true });
    return ifNoneMatch !== undefined && response.status === 304 ? undefined : stateOf<Asset>(response);
  }

  const client: CmaClient & Record<OperationId, unknown> = {
    queryAssets: (query, { signal } = {}) => findPage(query, signal),
    eachAsset: (query, { signal } = {}) => eachAsset(query, (page) => findPage(page, signal)),
    createAsset: async (asset, options = {}) =>
      stateOf(await send('createAsset', { body: asset, ...keyed(options) })),
    batchAssets: async (batch, options = {}) =>
      readResult(await send('batchAssets', { body: batch, ...keyed(options) })),
    getAsset,
    async updateAsset(id, changes, { ifMatch, baseVersion, signal } = {}) {
      const headers = { 'If-Match': ifMatch, 'X-Base-Version': baseVersion };
      // After a lost response, a retry with the same `ifMatch` would be refused. One with the same base finds its own values.
      const repeatable = ifMatch === undefined;
      return stateOf(await send('updateAsset', { id, body: changes, headers, signal, repeatable }));
    },
    async deleteAsset(id, { ifMatch, signal } = {}) {
      const headers = { 'If-Match': ifMatch };
      const deletes = ifMatch === undefined;
      readResult(await send('deleteAsset', { id, headers, signal, repeatable: true, deletes }));
    },
    listAssetHistory: async (id, { signal, ...query } = {}) =>
      readResult(await send('listAssetHistory', { id, query, signal, repeatable: true })),
    getPastAsset: async (id, { version, at }, { signal } = {}) =>
      stateOf(await send('getAsset', { id, query: { version, at }, signal, repeatable: true })),
    async restoreAsset(id, restoration, { ifMatch, signal } = {}) {
      const headers = { 'If-Match': ifMatch };
      const repeatable = ifMatch === undefined;
      return stateOf(await send('restoreAsset', { id, body: restoration, headers, signal, repeatable }));
    },
    async eraseAsset(id, { ifMatch, signal } = {}) {
      const headers = { 'If-Match': ifMatch };
      const repeatable = ifMatch === undefined;
      readResult(await send('deleteAsset', { id, query: { erase: true }, headers, signal, repeatable }));
    },
  };
  return client;
}

/** Adds an idempotency key, so that a retry does not run the request twice. */
function keyed({
  idempotencyKey = randomKey(),
  signal,
}: CallOptions & { idempotencyKey?: string | undefined }) {
  return { headers: { 'Idempotency-Key': idempotencyKey }, signal, repeatable: true };
}

/** Refuses dot segments, which URL parsing would remove. */
function encodeId(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError(`An asset's ID cannot be "${id}"`);
  return encodeURIComponent(id);
}

function encodeQuery(query: object = {}): string {
  const pairs = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((single) => [name, single]))
    .filter(([, single]) => single !== undefined)
    .map(([name, single]) => `${name}=${encodeURIComponent(String(single))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

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
    ...unfitOf(response),
  };
}

function unfitOf({ body }: SuccessResponse): UnfitNotes {
  // The content management API documents this member.
  return Array.isArray(body?.unfit) ? { unfit: body.unfit as UnfitFields } : {};
}
