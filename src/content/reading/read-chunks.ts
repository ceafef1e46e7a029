/**
 * Reads what the store returns in chunks: as a whole, or chunk by chunk for callers that hold only one in memory.
 */
import type { Asset } from '../../model/content-type.ts';
import { allOf } from '../../query/build-comparison.ts';
import { idPath } from '../../query/sort.ts';
import type { ContentStore, FindRequest, FoundAssets, StoredAsset } from '../../store/port.ts';

/** A page of assets in the requested order; `count` is the total without offset and limit, if requested. */
export interface AssetPage {
  readonly items: readonly Asset[];
  readonly count?: number;
}

/** A page whose first assets have been read. */
export interface OpenPage {
  readonly first: readonly Asset[];
  /**
   * Reads the other assets, chunk by chunk, in their state at that time. Assets deleted meanwhile are left out; a page by `_id`
   * gets the next assets in their place, so it is shorter than its limit only where nothing follows. Absent when there are no
   * others. Can be iterated once; reading ends when the iteration stops.
   */
  readonly rest?: AsyncIterable<readonly Asset[]>;
  readonly count?: number;
}

/** Finds a page; `isVisible` is checked again for assets read later, since they may have changed meanwhile. */
export async function openPage(
  store: ContentStore,
  request: FindRequest,
  isVisible: (asset: Asset) => boolean = () => true,
): Promise<OpenPage> {
  const { items: first, rest, ...total } = await store.find(request);
  if (!rest) return { first, ...total };
  const isFull = first.length + rest.length === request.limit;
  const isWanted = (asset: Asset) => request.types.includes(asset._type) && isVisible(asset);
  const follow = isFull && !request.sort ? followPage(store, request) : undefined;
  return { first, rest: readRest({ store, rest, isWanted, follow }), ...total };
}

/** Finds a page and reads all of it, for small pages. */
export async function findWhole(store: ContentStore, request: FindRequest): Promise<AssetPage> {
  const { first, rest, ...total } = await openPage(store, request);
  if (!rest) return { items: first, ...total };
  const items = [...first];
  for await (const chunk of rest) {
    request.signal?.throwIfAborted();
    items.push(...chunk);
  }
  return { items, ...total };
}

/** Finds the assets after an `_id`, in the order of a page without a sort. */
type Follow = (id: string, limit: number) => ReturnType<ContentStore['find']>;

function followPage(store: ContentStore, { where, ...request }: FindRequest): Follow {
  return (value, limit) => {
    const behind = { kind: 'compare', path: idPath, operator: 'gt', value } as const;
    const terms = where ? [where, behind] : [behind];
    return store.find({ ...request, where: allOf(terms), offset: 0, limit, withCount: false });
  };
}

/** Reads the rest of a page. Not a generator, since that would keep a chunk in memory until the next one is requested. */
function readRest({
  store,
  rest,
  isWanted,
  follow,
}: {
  store: ContentStore;
  rest: readonly string[];
  isWanted: (asset: Asset) => boolean;
  follow: Follow | undefined;
}): AsyncIterable<readonly Asset[]> {
  let left: readonly string[] | undefined = rest;
  let last = rest.at(-1) ?? '';
  let missing = 0;

  async function readNext(ids: readonly string[]): Promise<readonly Asset[]> {
    const { items, rest: behind } = await store.getChunk(ids);
    const wanted = items.filter(isWanted);
    left = behind;
    missing += ids.length - (behind?.length ?? 0) - wanted.length;
    return wanted;
  }

  async function readBehind(following: Follow): Promise<readonly Asset[]> {
    const { items, rest: behind } = await following(last, missing);
    left = behind;
    last = behind?.at(-1) ?? '';
    missing = 0;
    return items;
  }

  const next = async (): Promise<IteratorResult<readonly Asset[], undefined>> => {
    if (left) return { done: false, value: await readNext(left) };
    if (missing > 0 && follow) return { done: false, value: await readBehind(follow) };
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** Reads the assets that exist among `ids`, by `_id`, in no order. */
export async function* readMany(
  store: ContentStore,
  ids: readonly string[],
): AsyncGenerator<ReadonlyMap<string, StoredAsset>> {
  let left: readonly string[] | undefined = ids.length > 0 ? ids : undefined;
  while (left) {
    const { found, rest }: FoundAssets = await store.getMany(left);
    left = rest;
    yield found;
  }
}
