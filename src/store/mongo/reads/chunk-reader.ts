/**
 * Reads documents one chunk at a time, so that neither their number nor their size fills the memory.
 *
 * A cursor that is closed early has received at most one batch too many, which MongoDB keeps below 16 MiB. For assets that may be
 * large, the database first measures the documents.
 */

import type { AbstractCursor, Collection } from 'mongodb';
import { jsonBytes } from '../../../base/json-bytes.ts';
import type { Asset } from '../../../model/content-type.ts';
import { positionOf, type SortPosition } from '../../../query/keyset.ts';
import type { BoundSort } from '../../../query/sort.ts';
import { type Chunk, chunkBytes, type StoredAsset, type StoredText } from '../../port.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { withoutIndex } from '../documents/document-path.ts';
import type { Filter } from './compile-predicate.ts';
import { positionIn, projectSort } from './keyset/document-position.ts';
import type { SearchBudget } from './search-budget.ts';

/** Which of the matching documents to read, and in which order. */
interface PageRange {
  readonly sort: Map<string, 1 | -1>;
  readonly skip: number;
  readonly limit: number;
}

/** What callers receive for a document. */
export interface ItemForm<Item> {
  from(document: AssetDocument): Item;
  /** Returns the size of the item as JSON. */
  bytesOf(item: Item): number;
  assetOf(item: Item): Asset;
  idOf(item: Item): string;
}

/** Assets as objects. */
export const assetForm: ItemForm<StoredAsset> = {
  from: fromDocument,
  bytesOf: ({ asset }) => jsonBytes(asset),
  assetOf: ({ asset }) => asset,
  idOf: ({ asset }) => asset._id,
};

/** Assets as JSON text. No shape is given, because an update cannot tell whether the asset still fits it. */
export const textForm: ItemForm<StoredText> = {
  from: (document) => toText(fromDocument(document)),
  bytesOf: ({ text }) => Buffer.byteLength(text),
  // The text was made from an asset.
  assetOf: ({ text }) => JSON.parse(text) as Asset,
  idOf: ({ id }) => id,
};

/** Converts an asset to its JSON text. */
export const toText = ({ asset, version }: StoredAsset): StoredText => ({
  id: asset._id,
  type: asset._type,
  text: JSON.stringify(asset),
  version,
});

/** A range of an order. */
interface RangeRequest {
  /** Reads the assets of the range, in order; called again for those that did not fit into a chunk. */
  readonly open: (projection: Readonly<Record<string, 0 | 1>>) => AbstractCursor<AssetDocument>;
  readonly sort: BoundSort;
  readonly wanted: number;
}

/** The first assets of a range; `rest` has the ids of those that did not fit into a chunk. */
export interface RangeChunk<Item> extends Chunk<Item> {
  /** Whether the range has more assets than were wanted. */
  readonly hasMore: boolean;
  /** The values of the last asset; absent without assets. */
  readonly last?: SortPosition;
}

/** The number of identifiers in one query. */
const maxIds = 1_000;
/** The number of documents that one query measures. */
const maxMeasured = 200;
/** Creates the reader of one collection; items have the form that `ItemForm` gives them. */
export function createChunkReader<Item>(
  assets: Collection<AssetDocument>,
  { from, bytesOf, assetOf, idOf }: ItemForm<Item>,
) {
  /** Reads a page with one query; when the page is larger than a chunk, a second query lists the remaining ids. */
  async function readPage(filter: Filter, range: PageRange, limits: SearchBudget): Promise<Chunk<Item>> {
    const { found, isWhole } = await readFirst(
      assets.find(filter, { ...range, ...limits(), projection: withoutIndex, allowDiskUse: true }),
    );
    const items = [...found.values()];
    if (isWhole) return { items };
    const page = assets.find(filter, { ...range, ...limits(), projection: { _id: 1 }, allowDiskUse: true });
    const ids = (await page.toArray()).map(({ _id }) => _id);
    return { items, ...toRest(idsAfter(found, ids)) };
  }

  /**
   * Reads the first assets of a range by `open`, which must return one more than `wanted`, so that `hasMore` is known.
   */
  async function readRange({ open, sort, wanted }: RangeRequest): Promise<RangeChunk<Item>> {
    const { found, isWhole } = await readFirst(open(withoutIndex));
    const items = [...found.values()];
    if (isWhole) {
      const kept = items.slice(0, wanted);
      const last = kept.at(-1);
      const end = last === undefined ? {} : { last: positionOf(assetOf(last), sort) };
      return { items: kept, hasMore: items.length > wanted, ...end };
    }
    // Assets may have been inserted since, so the second reading decides where the range ends.
    const documents = await open({ _id: 1, ...projectSort(sort) }).toArray();
    const kept = documents.slice(0, wanted);
    const last = kept.at(-1);
    const rest = idsAfter(
      found,
      kept.map(({ _id }) => _id),
    );
    const end = last === undefined ? {} : { last: positionIn(last, sort) };
    return { items: items.slice(0, wanted), ...toRest(rest), hasMore: documents.length > wanted, ...end };
  }

  /** Finds assets by their ids, in one query; `rest` has the ids for the next call, which may be of no asset. */
  async function readMany(
    wanted: readonly string[],
  ): Promise<{ found: ReadonlyMap<string, Item>; rest?: readonly string[] }> {
    const ids = [...new Set(wanted)];
    const part = ids.slice(0, maxIds);
    const { found, isWhole } = await readFirst(
      assets.find({ _id: { $in: part } }, { projection: withoutIndex }),
    );
    const left = isWhole ? ids.slice(part.length) : ids.filter((id) => !found.has(id));
    return { found, ...toRest(left) };
  }

  /** Reads the assets with these ids, in this order. Measures them first, since each may be large. */
  async function readChunk(ids: readonly string[]): Promise<Chunk<Item>> {
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
    const documents = await assets.find({ _id: { $in: fitting } }, { projection: withoutIndex }).toArray();
    const found = new Map(documents.map((document) => [document._id, from(document)]));
    const items = fitting.flatMap((id) => found.get(id) ?? []);
    return { items, ...toRest([...existing.slice(fitting.length), ...ids.slice(part.length)]) };
  }

  /** Reads until a chunk is full; `isWhole` tells whether these are all documents. The items are in the order of the cursor. */
  async function readFirst(
    cursor: AbstractCursor<AssetDocument>,
  ): Promise<{ found: Map<string, Item>; isWhole: boolean }> {
    const found = new Map<string, Item>();
    let left = chunkBytes;
    try {
      for (;;) {
        const document = await cursor.next();
        if (document === null) return { found, isWhole: true };
        const item = from(document);
        left -= bytesOf(item);
        if (left < 0 && found.size > 0) return { found, isWhole: false };
        found.set(document._id, item);
      }
    } finally {
      await cursor.close();
    }
  }

  async function readOne(id: string): Promise<Item | undefined> {
    const document = await assets.findOne({ _id: id }, { projection: withoutIndex });
    return document ? from(document) : undefined;
  }

  return { idOf, readOne, readPage, readRange, readMany, readChunk };
}

/**
 * Returns the ids of a page after the last asset that was read. Assets may have changed between the two queries: none is read
 * twice, and assets that now precede those read are left out.
 */
function idsAfter(read: ReadonlyMap<string, unknown>, ids: readonly string[]): readonly string[] {
  return ids.slice(ids.findLastIndex((id) => read.has(id)) + 1);
}

const toRest = (rest: readonly string[]) => (rest.length > 0 ? { rest } : {});
