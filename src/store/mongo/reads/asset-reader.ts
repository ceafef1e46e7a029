/**
 * Reads assets by identifier, and pages of assets.
 */
import type { FacetRequest, FoundFacets } from '../../facets.ts';
import type { AssetChunk, FindRequest, FoundAssets, FoundPage, StoredAsset, TextCalls } from '../../port.ts';
import type { SearchPlan } from '../../search-plan.ts';
import type { Database } from '../database.ts';
import { assetForm, createChunkReader, textForm } from './chunk-reader.ts';
import { createPageFinder, type SearchOptions } from './page-finder.ts';

/** The reading half of the store port. Errors: the driver's; `find` also query_too_costly, invalid_parameter. */
export interface AssetReader {
  readonly texts: Omit<TextCalls, 'patch'>;
  get(id: string): Promise<StoredAsset | undefined>;
  getMany(ids: readonly string[]): Promise<FoundAssets>;
  getChunk(ids: readonly string[]): Promise<AssetChunk>;
  getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  find(request: FindRequest): Promise<FoundPage>;
  facets(request: FacetRequest): Promise<FoundFacets>;
  explain(request: FindRequest): Promise<SearchPlan>;
  countOthers(known: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** The number of identifiers in one query. */
const chunkSize = 1_000;

/** Creates the reading half over an open database. */
export function createAssetReader({ assets, types }: Database, options: SearchOptions): AssetReader {
  const pages = createPageFinder(assets, options);
  const inAssets = createChunkReader(assets, assetForm);
  const inTexts = createChunkReader(assets, textForm);

  async function getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const queries = chunksOf([...new Set(ids)]).map((chunk) =>
      assets.find({ _id: { $in: chunk } }, { projection: { _type: 1 } }).toArray(),
    );
    return new Map((await Promise.all(queries)).flat().map(({ _id, _type }) => [_id, _type]));
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
