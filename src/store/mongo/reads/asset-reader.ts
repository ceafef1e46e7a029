/**
 * The reads: assets by identifier, pages of assets, and the revision of types.
 */
import { createHash } from 'node:crypto';
import { invalidParameter } from '../../../base/errors.ts';
import { type BoundSort, sortById } from '../../../query/sort.ts';
import type { AssetChunk, FindRequest, FoundAssets, FoundPage, StoredAsset } from '../../port.ts';
import type { Database } from '../database.ts';
import { fromDocument } from '../documents/document.ts';
import { toValuePath } from '../documents/document-path.ts';
import { createChunkReader } from './chunk-reader.ts';
import { compilePredicate, type Filter, type FindIds } from './compile-predicate.ts';

/** The reading half of the store, as the port has it; errors are the driver's but for invalid_parameter of `find`. */
export interface AssetReader {
  get(id: string): Promise<StoredAsset | undefined>;
  getMany(ids: readonly string[]): Promise<FoundAssets>;
  getChunk(ids: readonly string[]): Promise<AssetChunk>;
  getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  find(request: FindRequest): Promise<FoundPage>;
  countOthers(known: readonly string[]): Promise<ReadonlyMap<string, number>>;
  revision(types: readonly string[]): Promise<string>;
}

/** How many identifiers one query asks for. */
const chunkSize = 1_000;
/** How many assets the references of one predicate may go through: all their identifiers are in one filter of 16 MiB. */
const maxTargets = 100_000;
/** Creates the reading half over an open database. */
export function createAssetReader({ assets, types }: Database): AssetReader {
  const { readMany, readPage, readChunk, projection } = createChunkReader(assets);

  async function get(id: string): Promise<StoredAsset | undefined> {
    const document = await assets.findOne({ _id: id }, { projection });
    return document ? fromDocument(document) : undefined;
  }

  async function getTypes(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const finding = chunksOf([...new Set(ids)]).map((chunk) =>
      assets.find({ _id: { $in: chunk } }, { projection: { _type: 1 } }).toArray(),
    );
    return new Map((await Promise.all(finding)).flat().map(({ _id, _type }) => [_id, _type]));
  }

  async function find(request: FindRequest): Promise<FoundPage> {
    const { types: classes, where, sort = sortById, offset, limit, withCount, signal } = request;
    const ended = signal ? { signal } : {};
    const filter = toFilter(classes, where && (await compilePredicate(where, createIdFinder(ended))));
    const [page, count] = await Promise.all([
      limit === 0 ? { items: [] } : readPage(filter, { sort: toSort(sort), skip: offset, limit, ...ended }),
      withCount ? assets.countDocuments(filter, ended) : undefined,
    ]);
    return count === undefined ? page : { ...page, count };
  }

  /** Finds the targets of one predicate's references. */
  function createIdFinder(ended: { readonly signal?: AbortSignal }): FindIds {
    let left = maxTargets;
    return async (classes, filter) => {
      const options = { projection: { _id: 1 }, limit: left + 1, ...ended };
      const targets = await assets.find(toFilter(classes, filter), options).toArray();
      left -= targets.length;
      if (left < 0) {
        throw invalidParameter('where', `goes through references that more than ${maxTargets} assets match`);
      }
      return targets.map(({ _id }) => _id);
    };
  }

  /** Whoever writes assets of a class has made its record when it opened the store. */
  async function countOthers(known: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const others = await types.find({ _id: { $nin: [...known] } }, { sort: { _id: 1 } }).toArray();
    const counts = new Map<string, number>();
    for (const { _id } of others) {
      const count = await assets.countDocuments({ _type: _id });
      if (count > 0) counts.set(_id, count);
    }
    return counts;
  }

  /** Reads all their versions: this is for types of few assets. Deletions are counted, since they leave nothing to read. */
  async function revision(classes: readonly string[]): Promise<string> {
    const hash = createHash('sha256');
    const options = { projection: { _version: 1 }, sort: { _id: 1 } } as const;
    for await (const { _id, _version } of assets.find({ _type: { $in: [...classes] } }, options)) {
      hash.update(`${_id} ${_version}\n`);
    }
    const records = await types.find({ _id: { $in: [...classes] } }).toArray();
    const deletions = records.reduce((sum, record) => sum + (record.deletions ?? 0), 0);
    return `${deletions}-${hash.digest('base64url')}`;
  }

  return { get, getMany: readMany, getChunk: readChunk, getTypes, find, countOthers, revision };
}

function toFilter(classes: readonly string[], where: Filter = {}): Filter {
  const [first] = classes;
  return { $and: [{ _type: classes.length === 1 ? first : { $in: classes } }, where] };
}

/**
 * MongoDB's own order has what is missing or null first, and texts by code point, since no collation is asked for. A field's
 * index `{_type, field, _id}` is in this order. A unique index leaves out absent values, so a page by its field is sorted in
 * memory; and a value of another type than its field's is ordered by its type, where SQLite takes it for absent.
 */
function toSort(sort: BoundSort): Map<string, 1 | -1> {
  return new Map(sort.map(({ path, descending }) => [toValuePath(path), descending ? -1 : 1]));
}

function chunksOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / chunkSize);
  return Array.from({ length: count }, (_, n) => ids.slice(n * chunkSize, (n + 1) * chunkSize));
}
