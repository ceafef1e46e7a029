/**
 * Reads what the store answers a chunk at a time: whole, or chunk after chunk for those who hold no more than one.
 */
import type { Asset } from '../../model/content-type.ts';
import { allOf } from '../../query/build-comparison.ts';
import { idPath } from '../../query/sort.ts';
import type { ContentStore, FindRequest, FoundAssets, StoredAsset } from '../../store/port.ts';

/** One page of what was found, in the order asked for; `count` is the total without offset and limit, when it was asked for. */
export interface AssetPage {
  readonly items: readonly Asset[];
  readonly count?: number;
}

/** A page of which only the first assets have been read. */
export interface OpenPage {
  readonly first: readonly Asset[];
  /**
   * Reads the others, chunk after chunk, as they are by then. What was deleted meanwhile is left out; a page by `_id` then has what
   * comes behind it in its place, so that it is shorter than its limit only where nothing follows. Absent when there are no others.
   * Whoever stops taking chunks ends the reading. Can be gone through once.
   */
  readonly rest?: AsyncIterable<readonly Asset[]>;
  readonly count?: number;
}

/** Finds a page; `isVisible` is asked again of what is read later, for an asset may have become another one in between. */
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

/** Finds a page and reads all of it, for requests whose pages are small. */
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

/** Finds what comes behind an `_id` in the order of a page without a sort. */
type Follow = (id: string, limit: number) => ReturnType<ContentStore['find']>;

function followPage(store: ContentStore, { where, ...request }: FindRequest): Follow {
  return (value, limit) => {
    const behind = { kind: 'compare', path: idPath, operator: 'gt', value } as const;
    const terms = where ? [where, behind] : [behind];
    return store.find({ ...request, where: allOf(terms), offset: 0, limit, withCount: false });
  };
}

/** No generator, which would keep a chunk while its reader waits to take the next one. */
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

/** The assets there are among `ids`, by id, in no order. */
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
