/**
 * Reads assets by identifier, and pages of assets.
 */
import type { ContentStore, StoreReads } from '../../port.ts';
import type { Database } from '../database.ts';
import { assetForm, createChunkReader, textForm } from './chunk-reader.ts';
import { createPageFinder, type SearchOptions } from './page-finder.ts';

/** The number of identifiers in one query. */
const chunkSize = 1_000;

/** Creates the reads over an open database. Errors: the driver's; `find` also query_too_costly, invalid_parameter. */
export function createAssetReader(
  { assets, types }: Database,
  options: SearchOptions,
): StoreReads & Pick<ContentStore, 'countOthers' | 'getVersions'> {
  const pages = createPageFinder(assets, options);
  const inAssets = createChunkReader(assets, assetForm);
  const inTexts = createChunkReader(assets, textForm);

  async function getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const queries = chunksOf([...new Set(ids)]).map((chunk) =>
      assets.find({ _id: { $in: chunk } }, { projection: { _type: 1 } }).toArray(),
    );
    return new Map((await Promise.all(queries)).flat().map(({ _id, _type }) => [_id, _type]));
  }

  async function getVersions(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const queries = chunksOf([...new Set(ids)]).map((chunk) =>
      assets.find({ _id: { $in: chunk } }, { projection: { '_colophon.version': 1 } }).toArray(),
    );
    return new Map(
      (await Promise.all(queries)).flat().map(({ _id, _colophon: { version } }) => [_id, version]),
    );
  }

  /** Counts only classes with a record in `types`: a process that prepares the store writes one for each of its classes. */
  async function countOthers(known: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const others = await types.find({ _id: { $nin: [...known] } }, { sort: { _id: 1 } }).toArray();
    const counts = new Map<string, number>();
    for (const { _id } of others) {
      const count = await assets.countDocuments({ _type: _id });
      if (count > 0) counts.set(_id, count);
    }
    return counts;
  }

  return {
    texts: {
      get: inTexts.readOne,
      getChunk: inTexts.readChunk,
      find: (request) => pages.find(inTexts, request),
    },
    get: inAssets.readOne,
    getMany: inAssets.readMany,
    getChunk: inAssets.readChunk,
    getTypes,
    getVersions,
    find: (request) => pages.find(inAssets, request),
    facets: pages.facets,
    explain: pages.explain,
    countOthers,
  };
}

function chunksOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / chunkSize);
  return Array.from({ length: count }, (_, n) => ids.slice(n * chunkSize, (n + 1) * chunkSize));
}
