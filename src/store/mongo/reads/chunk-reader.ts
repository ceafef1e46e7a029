/**
 * Reads documents a chunk at a time, however many and however large those are that were asked for.
 *
 * A cursor that is closed early has received one batch too many at worst, which MongoDB keeps below 16 MiB. What is known to be
 * large is therefore measured by the database first.
 */
import type { Collection, FindCursor } from 'mongodb';
import { jsonBytes } from '../../../base/json-bytes.ts';
import { type AssetChunk, chunkBytes, type FoundAssets, type StoredAsset } from '../../port.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import type { Filter } from './compile-predicate.ts';

/** Which part of what a filter finds is wanted. */
interface PageRange {
  readonly sort: Map<string, 1 | -1>;
  readonly skip: number;
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** How many identifiers one query asks for. */
const maxIds = 1_000;
/** How many documents are measured at once. */
const maxMeasured = 200;
/** Words can be as large as the texts they are of, and only the database needs them. */
const projection = { _words: 0 };

/** Makes the reader of a collection. */
export function createChunkReader(assets: Collection<AssetDocument>) {
  /** One query, unless the page is larger than a chunk; a second one then says what is left. */
  async function readPage(filter: Filter, range: PageRange): Promise<AssetChunk> {
    const { stored: items, isWhole } = await readFirst(
      assets.find(filter, { ...range, projection, allowDiskUse: true }),
    );
    if (isWhole) return { items };
    const page = assets.find(filter, { ...range, projection: { _id: 1 }, allowDiskUse: true });
    const ids = (await page.toArray()).map(({ _id }) => _id);
    return { items, ...toRest(behind(ids, items)) };
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
    const measuring = assets.find<{ _id: string; bytes: number }>(
      { _id: { $in: part } },
      { projection: { bytes: { $bsonSize: '$$ROOT' } } },
    );
    const sizes = new Map((await measuring.toArray()).map(({ _id, bytes }) => [_id, bytes]));
    const there = part.filter((id) => sizes.has(id));
    let left = chunkBytes;
    const tooMany = there.findIndex((id, index) => {
      left -= sizes.get(id) ?? 0;
      return left < 0 && index > 0;
    });
    const fitting = tooMany < 0 ? there : there.slice(0, tooMany);
    const documents = await assets.find({ _id: { $in: fitting } }, { projection }).toArray();
    const found = new Map(documents.map((document) => [document._id, fromDocument(document)]));
    const items = fitting.flatMap((id) => found.get(id) ?? []);
    return { items, ...toRest([...there.slice(fitting.length), ...ids.slice(part.length)]) };
  }

  return { readPage, readMany, readChunk, projection };
}

/** Reads until a chunk is full; `isWhole` says that nothing was left. */
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
 * The ids of a page that come behind the last asset that was read of it. Others may have written in between: what was read is
 * never read again, and what came to stand before it is left out.
 */
function behind(ids: readonly string[], items: readonly StoredAsset[]): readonly string[] {
  const read = new Set(items.map(({ asset }) => asset._id));
  return ids.slice(ids.findLastIndex((id) => read.has(id)) + 1);
}

const toRest = (rest: readonly string[]) => (rest.length > 0 ? { rest } : {});
