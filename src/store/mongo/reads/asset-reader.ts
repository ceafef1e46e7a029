/**
 * Reads assets by identifier, and pages of assets.
 */
import { invalidParameter, queryTooCostly } from '../../../base/errors.ts';
import { type BoundSort, sortById } from '../../../query/sort.ts';
import type { AssetChunk, FindRequest, FoundAssets, FoundPage, StoredAsset, TextCalls } from '../../port.ts';
import { findUnindexed, type IndexLookup } from '../../unindexed-path.ts';
import type { Database } from '../database.ts';
import { toValuePath } from '../documents/document-path.ts';
import { isOutOfTime } from '../map-error.ts';
import { assetForm, createChunkReader, type SearchLimits, textForm } from './chunk-reader.ts';
import { compilePredicate, type Filter, type FindIds } from './compile-predicate.ts';

/** The reading half of the store port. Errors: the driver's; `find` also query_too_costly, invalid_parameter. */
export interface AssetReader {
  readonly texts: Omit<TextCalls, 'patch'>;
  get(id: string): Promise<StoredAsset | undefined>;
  getMany(ids: readonly string[]): Promise<FoundAssets>;
  getChunk(ids: readonly string[]): Promise<AssetChunk>;
  getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  find(request: FindRequest): Promise<FoundPage>;
  countOthers(known: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** A page in one form. */
interface FoundItems<Item> {
  readonly items: readonly Item[];
  readonly rest?: readonly string[];
  readonly count?: number;
}

/** The number of identifiers in one query. */
const chunkSize = 1_000;
/** The most assets that the references of one predicate may lead to: one filter of 16 MiB holds all their identifiers. */
const maxTargets = 100_000;

/** Creates the reading half over an open database. */
export function createAssetReader(
  { assets, types }: Database,
  { indexes, queryMs }: { indexes: IndexLookup; queryMs: number },
): AssetReader {
  const inAssets = createChunkReader(assets, assetForm);
  const inTexts = createChunkReader(assets, textForm);

  async function getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const queries = chunksOf([...new Set(ids)]).map((chunk) =>
      assets.find({ _id: { $in: chunk } }, { projection: { _type: 1 } }).toArray(),
    );
    return new Map((await Promise.all(queries)).flat().map(({ _id, _type }) => [_id, _type]));
  }

  async function findAs<Item>(
    reader: ReturnType<typeof createChunkReader<Item>>,
    request: FindRequest,
  ): Promise<FoundItems<Item>> {
    try {
      return await search(reader, request);
    } catch (error) {
      throw isOutOfTime(error) ? queryTooCostly(findUnindexed(request, indexes)) : error;
    }
  }

  async function search<Item>(
    { readPage }: ReturnType<typeof createChunkReader<Item>>,
    request: FindRequest,
  ): Promise<FoundItems<Item>> {
    const { types: classes, where, sort = sortById, offset, limit, withCount, signal } = request;
    const limits = { maxTimeMS: queryMs, ...(signal && { signal }) };
    const filter = toFilter(classes, where && (await compilePredicate(where, createIdFinder(limits))));
    const [page, count] = await Promise.all([
      limit === 0 ? { items: [] } : readPage(filter, { sort: toSort(sort), skip: offset, limit, ...limits }),
      withCount ? assets.countDocuments(filter, limits) : undefined,
    ]);
    return count === undefined ? page : { ...page, count };
  }

  /** Creates the search for the targets of one predicate's references; all its calls share the limit. */
  function createIdFinder(limits: SearchLimits): FindIds {
    let left = maxTargets;
    return async (classes, filter) => {
      const options = { projection: { _id: 1 }, limit: left + 1, ...limits };
      const targets = await assets.find(toFilter(classes, filter), options).toArray();
      left -= targets.length;
      if (left < 0) {
        throw invalidParameter('where', `goes through references that more than ${maxTargets} assets match`);
      }
      return targets.map(({ _id }) => _id);
    };
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
      find: (request) => findAs(inTexts, request),
    },
    get: inAssets.readOne,
    getMany: inAssets.readMany,
    getChunk: inAssets.readChunk,
    getTypes,
    find: (request) => findAs(inAssets, request),
    countOthers,
  };
}

function toFilter(classes: readonly string[], where: Filter = {}): Filter {
  const [first] = classes;
  return { $and: [{ _type: classes.length === 1 ? first : { $in: classes } }, where] };
}

/**
 * Translates a sort into MongoDB's own order: absent and null values first, and strings by code point, since no collation is set.
 *
 * A field's index `{_type, field, _id}` has this order. A unique index leaves out absent values, so pages sorted by its field are
 * sorted in memory. MongoDB orders a value of another type than its field's by its type, whereas SQLite treats it as absent.
 */
function toSort(sort: BoundSort): Map<string, 1 | -1> {
  return new Map(sort.map(({ path, descending }) => [toValuePath(path), descending ? -1 : 1]));
}

function chunksOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / chunkSize);
  return Array.from({ length: count }, (_, n) => ids.slice(n * chunkSize, (n + 1) * chunkSize));
}
