/**
 * Searches a store with stored names by requests with present ones.
 */

import { invalidParameter } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import type { BoundPredicate, BoundValue } from '../../query/ast.ts';
import { allOf, anyOf, negate } from '../../query/build-comparison.ts';
import { compareValues } from '../../query/evaluate.ts';
import type { FacetValue } from '../../query/facets.ts';
import { positionOf, type SortPosition } from '../../query/keyset.ts';
import { findValues } from '../../query/path-values.ts';
import type { BoundSort } from '../../query/sort.ts';
import type { FacetRequest, FoundFacets } from '../facets.ts';
import type { ContentStore, FindRequest, FoundPage } from '../port.ts';
import type { Fallback } from './renamed-paths.ts';
import { toOneStoredPath, toStoredPredicate } from './renamed-paths.ts';
import type { Renames } from './renames.ts';

/** How one kind of find reads and names its items. */
interface ItemFinder<Item> {
  readonly find: (request: FindRequest) => Promise<FoundPage<Item>>;
  readonly idOf: (item: Item) => string;
  /** Reads an asset under present names. */
  readonly read: (id: string) => Promise<Asset | undefined>;
}

/** Converts a request to stored names. Errors: invalid_parameter, for an order by a field that has several stored names. */
export function toStoredFind(renames: Renames, request: FindRequest): FindRequest {
  const { types, where, sort } = request;
  const storedPath = (path: FindKey['path']) =>
    toOneStoredPath(renames, types, { path, parameter: 'sort' }).path;
  return {
    ...request,
    types: types.map(renames.toStoredClass),
    ...(where && { where: toStoredPredicate(renames, types, where) }),
    ...(sort && { sort: sort.map((key) => ({ ...key, path: storedPath(key.path) })) }),
  };
}

/**
 * Finds a page. Where assets lack a field of the order that has a default, the page is found in parts.
 *
 * Errors: those of `toStoredFind` and of the store; invalid_parameter `sort` when they lack one that is not the first of the order.
 */
export async function findRenamed<Item>(
  inner: ContentStore,
  { renames, request, finder }: { renames: Renames; request: FindRequest; finder: ItemFinder<Item> },
): Promise<FoundPage<Item>> {
  const stored = toStoredFind(renames, request);
  const { sort = [], limit } = request;
  const { sort: storedSort } = stored;
  const lacking =
    limit === 0 || !storedSort ? [] : await findLackingKeys(inner, { renames, request, stored });
  const [key] = lacking;
  if (!key || !storedSort) return finder.find(stored);
  const other = lacking.find(({ path }) => path !== sort[0]?.path);
  if (other) {
    const reason = `cannot be by ${JSON.stringify(other.path.text)} behind another field yet: some assets have only its default`;
    throw invalidParameter('sort', reason);
  }
  const search: PartedSearch<Item> = {
    ...finder,
    request: { ...stored, sort: storedSort },
    value: key.value,
    absent: key.fallback.absent,
    async positionOf(id) {
      const asset = await finder.read(id);
      return asset && positionOf(asset, sort);
    },
  };
  return findInParts(search);
}

/** Counts the values of fields; an asset that lacks a field with a default has the values of the default. */
export async function countRenamedFacets(
  inner: ContentStore,
  { renames, request }: { renames: Renames; request: FacetRequest },
): Promise<FoundFacets> {
  const { types, where, paths } = request;
  const ends = paths.map((path) => toOneStoredPath(renames, types, { path, parameter: 'facets' }));
  const stored = {
    ...request,
    types: types.map(renames.toStoredClass),
    paths: ends.map(({ path }) => path),
    ...(where && { where: toStoredPredicate(renames, types, where) }),
  };
  const found = await inner.facets(stored);
  const counted = found.map(async (values, n) => {
    const [path, end] = [paths[n], ends[n]];
    if (!path || !end?.fallback) return values;
    const defaults = valuesOf(path, end.fallback);
    const others = values.filter(({ value }) => !defaults.includes(value));
    const { absent } = end.fallback;
    const own = defaults.map(async (value): Promise<FacetValue> => {
      const equals: BoundPredicate = { kind: 'equals', path: end.path, values: [value], ignoreCase: false };
      const terms = [...(stored.where ? [stored.where] : []), anyOf([equals, absent])];
      const { paths: _, ...page } = stored;
      const { count = 0 } = await inner.find({
        ...page,
        where: allOf(terms),
        offset: 0,
        limit: 0,
        withCount: true,
      });
      return { value, count };
    });
    const all = [...others, ...(await Promise.all(own)).filter(({ count }) => count > 0)];
    return all
      .toSorted((a, b) => b.count - a.count || compareValues(a.value, b.value))
      .slice(0, request.limit);
  });
  return Promise.all(counted);
}

type FindKey = NonNullable<FindRequest['sort']>[number];

interface LackingKey {
  readonly path: FindKey['path'];
  readonly value: BoundValue;
  readonly fallback: Fallback;
}

/** Finds the keys of an order of which some of the assets lack the value. */
async function findLackingKeys(
  inner: ContentStore,
  { renames, request, stored }: { renames: Renames; request: FindRequest; stored: FindRequest },
): Promise<readonly LackingKey[]> {
  const lacking: LackingKey[] = [];
  for (const { path } of request.sort ?? []) {
    const { fallback } = toOneStoredPath(renames, request.types, { path, parameter: 'sort' });
    const value = fallback && valuesOf(path, fallback)[0];
    if (!fallback || value === undefined) continue;
    const { types, where, client, signal } = stored;
    const caller = { ...(client !== undefined && { client }), ...(signal && { signal }) };
    const terms = [...(where ? [where] : []), fallback.absent];
    const page = { types, where: allOf(terms), offset: 0, limit: 1, withCount: false, ...caller };
    const { items } = await inner.find(page);
    if (items.length > 0) lacking.push({ path, value, fallback });
  }
  return lacking;
}

const valuesOf = (path: FindKey['path'], { members }: Fallback): readonly BoundValue[] => [
  ...new Set(findValues({ _id: '', _type: '', ...members }, path)),
];

// Finds assets in an order by a field with a default that some of them lack.
//
// Such an order has three parts, each of which the store finds by itself: the assets with a lesser value, those with the default or
// without the field, which the rest of the order sorts, and those with a greater value.

/** A search whose first key has a default. All names are stored ones. */
interface PartedSearch<Item> {
  readonly request: FindRequest & { readonly sort: BoundSort };
  /** The default of the first key. */
  readonly value: BoundValue;
  /** Holds for the assets without a value of the first key. */
  readonly absent: BoundPredicate;
  readonly find: (request: FindRequest) => Promise<FoundPage<Item>>;
  readonly idOf: (item: Item) => string;
  /** Returns the position of an asset in the whole order. */
  readonly positionOf: (id: string) => Promise<SortPosition | undefined>;
}

/** Finds a page, with or without a cursor. Errors: those of `find`. */
async function findInParts<Item>(search: PartedSearch<Item>): Promise<FoundPage<Item>> {
  const { request, find, idOf } = search;
  const { keyset, withCount, limit } = request;
  const parts = toParts(search);
  const from = keyset?.after && startOf(parts, search, keyset.after);
  const found: Found<Item> = { items: [], rest: [], count: 0, follows: false, skip: request.offset };
  for (const [index, part] of parts.entries()) {
    const left = limit - found.items.length - found.rest.length;
    const isFull = left === 0 || found.next !== undefined;
    const isRead = !isFull && (from === undefined || index >= from.index);
    // Of the parts behind a full page a cursor must know whether they have assets.
    const isAsked = isFull && keyset !== undefined && found.next === undefined && !found.follows;
    if (!isRead && !isAsked && !withCount) continue;
    const after = from?.index === index ? { after: from.after } : {};
    const page = await find({
      ...withoutKeyset(request),
      where: request.where ? allOf([request.where, part.where]) : part.where,
      sort: part.sort,
      offset: isRead ? found.skip : 0,
      limit: isRead ? left : Number(isAsked),
      ...(keyset && isRead && { keyset: after }),
      withCount: withCount || found.skip > 0,
    });
    found.count =
      found.count === undefined || page.count === undefined ? undefined : found.count + page.count;
    if (isAsked) found.follows = page.items.length > 0;
    if (isRead) addPage(found, page, { part, idOf });
  }
  const { items, rest, count } = found;
  const next = found.next ?? (found.follows ? await findLastPosition(found, search) : undefined);
  return {
    items,
    ...(rest.length > 0 && { rest }),
    ...(withCount && count !== undefined && { count }),
    ...(next && { next }),
  };
}

/** What the parts have given so far. */
interface Found<Item> {
  readonly items: Item[];
  readonly rest: string[];
  count: number | undefined;
  next?: SortPosition;
  /** Whether assets follow in a later part. */
  follows: boolean;
  /** How many assets of the next parts come before the page. */
  skip: number;
}

function addPage<Item>(
  found: Found<Item>,
  page: FoundPage<Item>,
  { part, idOf }: { part: Part; idOf: (item: Item) => string },
): void {
  found.skip = Math.max(0, found.skip - (page.count ?? 0));
  if (found.rest.length === 0) found.items.push(...page.items);
  else found.rest.push(...page.items.map(idOf));
  found.rest.push(...(page.rest ?? []));
  if (page.next) found.next = [...part.fixed, ...page.next];
}

async function findLastPosition<Item>(
  { items, rest }: Found<Item>,
  { idOf, positionOf }: PartedSearch<Item>,
): Promise<SortPosition | undefined> {
  const last = rest.at(-1) ?? items.map(idOf).at(-1);
  return last === undefined ? undefined : positionOf(last);
}

const withoutKeyset = ({ keyset: _, ...request }: FindRequest) => request;

interface Part {
  readonly where: BoundPredicate;
  readonly sort: BoundSort;
  /** The value of the first key, where `sort` lacks it. */
  readonly fixed: SortPosition;
  /** Whether values come before (-1) or after (1) the default, by value. */
  readonly side: -1 | 0 | 1;
}

function toParts<Item>({ request: { sort }, value, absent }: PartedSearch<Item>): readonly Part[] {
  const [key, ...others] = sort;
  if (!key) return [];
  const { path } = key;
  const among = (values: readonly BoundValue[]): BoundPredicate =>
    values.length === 0
      ? { kind: 'constant', value: false }
      : { kind: 'equals', path, values, ignoreCase: false };
  const greater: BoundPredicate =
    typeof value === 'boolean'
      ? among(value ? [] : [true])
      : { kind: 'compare', path, operator: 'gt', value };
  const equal = anyOf([among([value]), absent]);
  // What has no value to compare is less than all values, as in every order.
  const lesser = allOf([negate(greater), negate(equal)]);
  const parts: readonly Part[] = [
    { where: lesser, sort, fixed: [], side: -1 },
    { where: equal, sort: others, fixed: [value], side: 0 },
    { where: greater, sort, fixed: [], side: 1 },
  ];
  return key.descending ? parts.toReversed() : parts;
}

/** Finds the part that a position is in. */
function startOf<Item>(
  parts: readonly Part[],
  { value }: PartedSearch<Item>,
  position: SortPosition,
): { readonly index: number; readonly after: SortPosition } {
  const [first = null, ...others] = position;
  const side = first === null ? -1 : Math.sign(compareValues(first, value));
  const index = parts.findIndex((part) => part.side === side);
  return { index, after: side === 0 ? others : position };
}
