/**
 * Creates the client of the content management API: each function sends a request and returns the response's `result`.
 */
import { operations } from './cma/operations.gen.ts';
import type { Asset, IncludedAssets, UnfitFields } from './cma/types.gen.ts';
import type {
  AssetPage,
  AssetState,
  CmaClient,
  ContentFunctions,
  GetOptions,
  ReleaseFunctions,
  Selection,
  UnfitNotes,
  Validation,
  Written,
} from './cma-client.ts';
import {
  type ClientOptions,
  checkHeaders,
  connectToCma,
  createSender,
  encodeQuery,
  placeBelow,
} from './cma-request.ts';
import { assertRange } from './connection.ts';
import { createCursorCheck, followChanges, readEvents } from './follow-changes.ts';
import { toFilePath } from './image-set.ts';
import { readResult, type SuccessResponse } from './read-response.ts';

type Send = ReturnType<typeof createSender>;

/** Creates a client of the content management API; it sends nothing until one of its functions is called. */
export function createClient(options: ClientOptions): CmaClient {
  const cma = connectToCma(options);
  const { connection } = cma;
  const send = createSender(cma);

  const readFeedPage = async <Page>(query: object, signal: AbortSignal | undefined): Promise<Page> =>
    withUnfit(await send('listChanges', { query, signal }));

  return {
    ...createContentFunctions(send),
    listChanges: (query, { signal } = {}) => readFeedPage(query, signal),
    changes: ({ cursor, ...query }, { signal, onSnapshot } = {}) =>
      followChanges(
        {
          readPage: (at) => readFeedPage({ ...query, cursor: at }, signal),
          readLive: (at) => {
            const path = placeBelow(cma.cmaPath, operations.listChanges.path) + encodeQuery(query);
            return readEvents(connection, { path, headers: checkHeaders({ 'Last-Event-ID': at }), signal });
          },
        },
        { cursor: cursor === '' ? undefined : cursor, waits: connection.waits, signal, onSnapshot },
      ),
    async uploadFile(file, { name = nameOf(file), onProgress, signal } = {}) {
      const blob = file instanceof Blob ? file : new Blob([file]);
      const request = { query: { name }, file: { blob, onProgress }, signal, repeatable: true };
      return readResult(await send('uploadFile', request));
    },
    fileUrl: (file, variant) => connection.baseUrl + toFilePath(file, variant),
    getPastAsset: async (id, { version, at }, { signal } = {}) =>
      stateOf(await send('getAsset', { id, query: { version, at }, signal })),
    async restoreAsset(id, restoration, options = {}) {
      const repeatable = options.ifMatch === undefined || options.validate === true;
      const request = { ...options, id, body: restoration, repeatable };
      return writtenOf(await send('restoreAsset', request), options);
    },
    withdrawAsset: async (id, options) => readResult(await send('withdrawAsset', { ...options, id })),
    async eraseAsset(id, options) {
      readResult(await send('deleteAsset', { ...options, id, query: { erase: true } }));
    },
    in(release) {
      // Drafts belong to no run.
      const sendIn = createSender(connectToCma({ ...options, run: undefined }), release);
      const functions = createContentFunctions(sendIn);
      return {
        ...functions,
        // The server accepts incomplete drafts.
        createAsset: functions.createAsset as ReleaseFunctions['createAsset'],
        async discardDraft(id, { signal } = {}) {
          readResult(await sendIn('deleteAsset', { id, query: { discard: true }, signal }));
        },
      };
    },
  };
}

/** The name of a file that a user of a browser has chosen. */
const nameOf = (file: object) => ('name' in file ? String(file.name) : 'file');

/** Longer queries are sent in a body. Servers and proxies accept URLs of 8,000 characters, as RFC 9110 recommends. */
const maxQueryCharacters = 7_500;

/** Creates the functions that read and write content, live or in a release. */
function createContentFunctions(send: Send): ContentFunctions {
  async function findPage<Page>(query: object, signal: AbortSignal | undefined): Promise<Page> {
    const isLong = encodeQuery(query).length > maxQueryCharacters;
    const response = isLong
      ? await send('postAssetQuery', { body: withTexts(query), signal, repeatable: true })
      : await send('queryAssets', { query, signal });
    return withUnfit(response);
  }

  async function getAsset(id: string, { fields, include, ...options }: GetOptions & Selection = {}) {
    const response = await send('getAsset', { ...options, id, query: { fields, include } });
    const isKnown = options.ifNoneMatch !== undefined && response.status === 304;
    return isKnown ? undefined : stateOf<Asset>(response);
  }

  return {
    queryAssets: (query, { signal } = {}) => findPage(query, signal),
    eachAsset: (query, { signal } = {}) => eachAsset(query, (page) => findPage(page, signal)),
    createAsset: async (asset, options = {}) =>
      writtenOf(await send('createAsset', { ...options, body: asset }), options),
    batchAssets: async (batch, options) => readResult(await send('batchAssets', { ...options, body: batch })),
    // A response has the members that the overloads and the selection promise.
    getAsset: getAsset as ContentFunctions['getAsset'],
    updateAsset: async (id, changes, options = {}) =>
      writtenOf(await send('updateAsset', { ...options, id, body: changes }), options),
    async patchAsset(id, patch, options = {}) {
      const contentType = `application/${Array.isArray(patch) ? 'json-patch' : 'merge-patch'}+json`;
      return writtenOf(await send('patchAsset', { ...options, id, body: patch, contentType }), options);
    },
    async deleteAsset(id, options) {
      readResult(await send('deleteAsset', { ...options, id }));
    },
    listAssetHistory: async (id, { signal, ...query } = {}) =>
      readResult(await send('listAssetHistory', { id, query, signal })),
  };
}

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

/** Reads an asset with its version. */
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
  { validate }: Validation<Checked>,
): Written<Found, Checked> {
  const written = validate ? { asset: readResult(response), ...unfitOf(response) } : stateOf<Found>(response);
  // The type says the same as the condition.
  return written as Written<Found, Checked>;
}

function includedOf({ body }: SuccessResponse): { included?: IncludedAssets } {
  // The content management API documents this member.
  return body?.included ? { included: body.included as IncludedAssets } : {};
}

const withUnfit = <Page>(response: SuccessResponse): Page => ({
  ...readResult<Page>(response),
  ...unfitOf(response),
});

/** Reads the notes on fields that do not fit their type. */
function unfitOf({ body }: SuccessResponse): UnfitNotes {
  // The content management API documents this member.
  return Array.isArray(body?.unfit) ? { unfit: body.unfit as UnfitFields } : {};
}

/**
 * Yields the assets page by page. Throws a RangeError or a TypeError for an invalid query, and a ColophonError for a cursor that the
 * server has returned before.
 */
async function* eachAsset<Found>(
  { pageSize = 100, ...query }: { readonly pageSize?: number | undefined },
  findPage: (query: object) => Promise<AssetPage<Found, false>>,
): AsyncGenerator<Found, void, undefined> {
  assertRange('pageSize', pageSize, { min: 1, max: 1000 });
  assertWhole(query);
  const paged = { ...query, limit: pageSize, count: false };
  let page = await findPage({ ...paged, cursor: '' });
  const toNew = createCursorCheck();
  for (;;) {
    yield* page.items;
    if (page.next === undefined) return;
    page = await findPage({ ...paged, cursor: toNew(page.next) });
  }
}

/**
 * Refuses the parameters of a single page. The compiler accepts them in a query that is a variable, and an offset would silently
 * skip assets.
 */
function assertWhole(query: { readonly [name: string]: unknown }): void {
  const part = ['offset', 'limit', 'count', 'cursor', 'facets', 'explain'].find(
    (name) => query[name] !== undefined,
  );
  if (part !== undefined) throw new TypeError(`eachAsset takes no ${part}: it goes through all pages`);
}
