/**
 * The functions that read and write content, live or in a release.
 */
import type { Asset } from './cma/types.gen.ts';
import type { GetOptions, Selection } from './cma-calls.ts';
import type { ContentFunctions } from './cma-client.ts';
import { eachAsset } from './each-asset.ts';
import { checking, encodeQuery, type SendOperation } from './operation-request.ts';
import { stateOf, unfitOf, writtenOf } from './read-asset.ts';
import { readResult } from './read-response.ts';

/** Longer queries are sent in a body. Servers and proxies accept URLs of 8,000 characters, as RFC 9110 recommends. */
const maxQueryCharacters = 7_500;

/** Creates the functions. */
export function createContentFunctions(send: SendOperation): ContentFunctions {
  async function findPage<Page>(query: object, signal: AbortSignal | undefined): Promise<Page> {
    const isLong = encodeQuery(query).length > maxQueryCharacters;
    const response = isLong
      ? await send('postAssetQuery', { body: withTexts(query), signal, repeatable: true })
      : await send('queryAssets', { query, signal });
    return { ...readResult<Page>(response), ...unfitOf(response) };
  }

  async function getAsset(id: string, { ifNoneMatch, signal, fields, include }: GetOptions & Selection = {}) {
    const headers = { 'If-None-Match': ifNoneMatch };
    const query = { fields, include };
    const response = await send('getAsset', { id, query, headers, signal });
    return ifNoneMatch !== undefined && response.status === 304 ? undefined : stateOf<Asset>(response);
  }

  return {
    queryAssets: (query, { signal } = {}) => findPage(query, signal),
    eachAsset: (query, { signal } = {}) => eachAsset(query, (page) => findPage(page, signal)),
    createAsset: async (asset, { validate, ...options } = {}) =>
      writtenOf(await send('createAsset', { body: asset, query: checking(validate), ...options }), validate),
    batchAssets: async (batch, { validate, ...options } = {}) =>
      readResult(await send('batchAssets', { body: batch, query: checking(validate), ...options })),
    // A response has the members that the overloads and the selection promise.
    getAsset: getAsset as ContentFunctions['getAsset'],
    async updateAsset(id, changes, { ifMatch, baseVersion, validate, ...options } = {}) {
      const headers = { 'If-Match': ifMatch, 'X-Base-Version': baseVersion };
      const request = { id, body: changes, query: checking(validate), headers, ...options };
      return writtenOf(await send('updateAsset', request), validate);
    },
    async patchAsset(id, patch, { ifMatch, validate, ...options } = {}) {
      const type = Array.isArray(patch) ? 'application/json-patch+json' : 'application/merge-patch+json';
      const headers = { 'Content-Type': type, 'If-Match': ifMatch };
      const request = { id, body: patch, query: checking(validate), headers, ...options };
      return writtenOf(await send('patchAsset', request), validate);
    },
    async deleteAsset(id, { ifMatch, ...options } = {}) {
      readResult(await send('deleteAsset', { id, headers: { 'If-Match': ifMatch }, ...options }));
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
