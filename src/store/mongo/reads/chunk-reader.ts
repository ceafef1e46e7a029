/**
 * Reads documents one chunk at a time, so that neither their number nor their size fills the memory.
 *
 * A cursor that is closed early has received at most one batch too many, which MongoDB keeps below 16 MiB. For assets that may be
 * large, the database first measures the documents.
 */
import type { Collection, FindCursor } from 'mongodb';
import { jsonBytes } from '../../../base/json-bytes.ts';
import { type AssetChunk, chunkBytes, type FoundAssets, type StoredAsset } from '../../port.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import type { Filter } from './compile-predicate.ts';

/** Which of the matching documents to read, and in which order. */
interface PageRange extends SearchLimits {
  readonly sort: Map<string, 1 | -1>;
  readonly skip: number;
  readonly limit: number;
}

/** The limits of each command of a search, in the driver's words. */
export interface SearchLimits {
  readonly maxTimeMS: number;
  readonly signal?: AbortSignal;
}

/** The number of identifiers in one query. */
const maxIds = 1_000;
/** The number of documents that one query measures. */
const maxMeasured = 200;
/** Leaves out the words: they can be as large as the texts, and only the database needs them. */
const projection = { _words: 0 };

/** Creates the reader of a collection. */
export function createChunkReader(assets: Collection<AssetDocument>) {
  /** Reads a page with one query; when the page is larger than a chunk, a second query lists the remaining ids. */
  async function readPage(filter: Filter, range: PageRange): Promise<AssetChunk> {
    const { stored: items, isWhole } = await readFirst(
      assets.find(filter, { ...range, projection, allowDiskUse: true }),
    );
    if (isWhole) return { items };
    const page = assets.find(filter, { ...range, projection: { _id: 1 }, allowDiskUse: true });
    const ids = (await page.toArray()).map(({ _id }) => _id);
    return { items, ...toRest(idsAfter(items, ids)) };
  }

  async function readMany(wanted: readonly string[]): Promise<FoundAssets> {
    const ids = [...new Set(wanted)];
    const part = ids.slice(0, maxIds);
    const { stored, isWhole } = await readFirst(assets.find({ _id: { $in: part } }, { projection }));
    const found = new Map(stored.map((one) => [one.asset._id, one]));
    const left = isWhole ? ids.slice(part.length) : ids.filter((id) => !found.has(id));
    return { found, ...toRest(left) };
  }

  async function readChunk(ids: readonly string[]): Promise<AssetChunk> {
    const part = ids.slice(0, maxMeasured);
    const sizeCursor = assets.find<{ _id: string; bytes: number }>(
      { _id: { $in: part } },
      { projection: { bytes: { $bsonSize: '$$ROOT' } } },
    );
    const sizes = new Map((await sizeCursor.toArray()).map(({ _id, bytes }) => [_id, bytes]));
    const existing = part.filter((id) => sizes.has(id));
    let left = chunkBytes;
    const firstTooMany = existing.findIndex((id, index) => {
      left -= sizes.get(id) ?? 0;
      return left < 0 && index > 0;
    });
    const fitting = firstTooMany < 0 ? existing : existing.slice(0, firstTooMany);
    const documents = await assets.find({ _id: { $in: fitting } }, { projection }).toArray();
    const found = new Map(documents.map((document) => [document._id, fromDocument(document)]));
    const items = fitting.flatMap((id) => found.get(id) ?? []);
    return { items, ...toRest([...existing.slice(fitting.length), ...ids.slice(part.length)]) };
  }

  return { readPage, readMany, readChunk, projection };
}

/** Reads until a chunk is full; `isWhole` tells whether these are all documents. */
async function readFirst(
  cursor: FindCursor<AssetDocument>,
): Promise<{ stored: StoredAsset[]; isWhole: boolean }> {
  const stored: StoredAsset[] = [];
  let left = chunkBytes;
  try {
    for (;;) {
      const document = await cursor.next();
      if (document === null) return { stored, isWhole: true };
      const one = fromDocument(document);
      left -= jsonBytes(one.asset);
      if (left < 0 && stored.length > 0) return { stored, isWhole: false };
      stored.push(one);
    }
  } finally {
    await cursor.close();
  }
}

/**
 * Returns the ids of a page after the last asset that was read. Assets may have changed between the two queries: none is read
 * twice, and assets that now precede those read are left out.
 */
function idsAfter(items: readonly StoredAsset[], ids: readonly string[]): readonly string[] {
  const read = new Set(items.map(({ asset }) => asset._id));
  return ids.slice(ids.findLastIndex((id) => read.has(id)) + 1);
}

const toRest = (rest: readonly string[]) => (rest.length > 0 ? { rest } : {});
