/**
 * Searches a store with stored names by requests with present ones.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import type { BoundPredicate, BoundValue } from '../../query/ast.ts';
import { allOf, anyOf } from '../../query/build-comparison.ts';
import { compareValues } from '../../query/evaluate.ts';
import type { FacetValue } from '../../query/facets.ts';
import { positionOf } from '../../query/keyset.ts';
import { findValues } from '../../query/path-values.ts';
import type { FacetRequest, FoundFacets } from '../facets.ts';
import type { ContentStore, FindRequest, FoundPage } from '../port.ts';
import { findInParts, type PartedSearch } from './ordered-parts.ts';
import { toOneStoredPath, toStoredPredicate } from './renamed-paths.ts';
import type { Renames } from './renames.ts';
import type { Fallback } from './stored-paths.ts';

/** How one kind of find reads and names its items. */
export interface ItemFinder<Item> {
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
