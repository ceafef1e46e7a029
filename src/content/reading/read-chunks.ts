/**
 * Reads what the store returns in chunks: as a whole, or chunk by chunk for callers that hold only one in memory.
 */
import type { Asset } from '../../model/content-type.ts';
import { allOf } from '../../query/build-comparison.ts';
import type { SortPosition } from '../../query/keyset.ts';
import { idPath } from '../../query/sort.ts';
import type {
  AssetCalls,
  ContentStore,
  FindRequest,
  FoundAssets,
  FoundPage,
  StoredAsset,
  StoredText,
} from '../../store/port.ts';

/** A page of assets with their versions, in the requested order; `count` is the total without offset and limit, if requested. */
export interface AssetPage<Next = string> {
  readonly items: readonly StoredAsset[];
  readonly count?: number;
  /** Where the next page by cursor begins; absent when nothing follows. */
  readonly next?: Next;
}

/** A page whose first assets have been read. */
export interface OpenPage<Item = Asset, Next = string> {
  readonly first: readonly Item[];
  /**
   * Reads the other assets, chunk by chunk, in their state at that time. Assets deleted meanwhile are left out; a page by `_id`
   * without a cursor gets the next assets in their place, so it is shorter than its limit only where nothing follows. Absent when there are no
   * others. Can be iterated once; reading ends when the iteration stops.
   */
  readonly rest?: AsyncIterable<readonly Item[]>;
  readonly count?: number;
  /** Where the next page by cursor begins; absent when nothing follows. */
  readonly next?: Next;
}

type Searched = Pick<ContentStore, 'find' | 'getChunk'>;

/** Finds a page; `isVisible` is checked again for assets read later, since they may have changed meanwhile. */
export function openPage(
  store: Searched,
  request: FindRequest,
  isVisible: (asset: Asset) => boolean,
): Promise<OpenPage<Asset, SortPosition>> {
  return openItems({ reads: readAssets(store, isVisible), request, toItem: ({ asset }) => asset });
}

/** Finds the same page as texts. */
export function openTextPage(
  { texts }: ContentStore,
  request: FindRequest,
  isVisible: (text: StoredText) => boolean,
): Promise<OpenPage<StoredText, SortPosition>> {
  const reads = { ...texts, typeOf: ({ type }: StoredText) => type, isVisible };
  return openItems({ reads, request, toItem: (text) => text });
}

/** Finds a page and reads all of it, for small pages. */
export async function findWhole(store: Searched, request: FindRequest): Promise<AssetPage<SortPosition>> {
  const page = openItems({ reads: readAssets(store, () => true), request, toItem: (stored) => stored });
  const { first, rest, ...total } = await page;
  if (!rest) return { items: first, ...total };
  const items = [...first];
  for await (const chunk of rest) {
    request.signal?.throwIfAborted();
    items.push(...chunk);
  }
  return { items, ...total };
}

/** The reads of a store in one form: as assets or as texts. */
interface Reads<Stored> extends Pick<AssetCalls<Stored>, 'find' | 'getChunk'> {
  typeOf(stored: Stored): string;
  isVisible(stored: Stored): boolean;
}

const readAssets = (
  { find, getChunk }: Searched,
  isVisible: (asset: Asset) => boolean,
): Reads<StoredAsset> => ({
  find,
  getChunk,
  typeOf: ({ asset }) => asset._type,
  isVisible: ({ asset }) => isVisible(asset),
});

async function openItems<Stored, Item>({
  reads,
  request,
  toItem,
}: {
  reads: Reads<Stored>;
  request: FindRequest;
  toItem: (stored: Stored) => Item;
}): Promise<OpenPage<Item, SortPosition>> {
  const { items, rest, ...total } = await reads.find(request);
  const first = items.map(toItem);
  if (!rest) return { first, ...total };
  const isFull = items.length + rest.length === request.limit;
  const isWanted = (stored: Stored) =>
    request.types.includes(reads.typeOf(stored)) && reads.isVisible(stored);
  const follow = isFull && !request.sort && !request.keyset ? followPage(reads, request) : undefined;
  return { first, rest: readRest({ reads, rest, isWanted, follow, toItem }), ...total };
}

/** Finds the assets after an `_id`, in the order of a page without a sort. */
type Follow<Stored> = (id: string, limit: number) => Promise<FoundPage<Stored>>;

function followPage<Stored>(reads: Reads<Stored>, { where, ...request }: FindRequest): Follow<Stored> {
  return (value, limit) => {
    const behind = { kind: 'compare', path: idPath, operator: 'gt', value } as const;
    const terms = where ? [where, behind] : [behind];
    return reads.find({ ...request, where: allOf(terms), offset: 0, limit, withCount: false });
  };
}

/** Reads the rest of a page. Not a generator, since that would keep a chunk in memory until the next one is requested. */
function readRest<Stored, Item>({
  reads,
  rest,
  isWanted,
  follow,
  toItem,
}: {
  reads: Reads<Stored>;
  rest: readonly string[];
  isWanted: (stored: Stored) => boolean;
  follow: Follow<Stored> | undefined;
  toItem: (stored: Stored) => Item;
}): AsyncIterable<readonly Item[]> {
  let left: readonly string[] | undefined = rest;
  let last = rest.at(-1) ?? '';
  let missing = 0;

  async function readNext(ids: readonly string[]): Promise<readonly Stored[]> {
    const { items, rest: behind } = await reads.getChunk(ids);
    const wanted = items.filter(isWanted);
    left = behind;
    missing += ids.length - (behind?.length ?? 0) - wanted.length;
    return wanted;
  }

  async function readBehind(following: Follow<Stored>): Promise<readonly Stored[]> {
    const { items, rest: behind } = await following(last, missing);
    left = behind;
    last = behind?.at(-1) ?? '';
    missing = 0;
    return items;
  }

  const next = async (): Promise<IteratorResult<readonly Item[], undefined>> => {
    if (left) return { done: false, value: (await readNext(left)).map(toItem) };
    if (missing > 0 && follow) return { done: false, value: (await readBehind(follow)).map(toItem) };
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** Reads the assets that exist among `ids`, by `_id`, in no order. */
export async function* readMany(
  store: Pick<ContentStore, 'getMany'>,
  ids: readonly string[],
): AsyncGenerator<ReadonlyMap<string, StoredAsset>> {
  let left: readonly string[] | undefined = ids.length > 0 ? ids : undefined;
  while (left) {
    const { found, rest }: FoundAssets = await store.getMany(left);
    left = rest;
    yield found;
  }
}
