/**
 * Iterates over all assets of a query, page by page: by cursor, or by the last `_id` of each page where the server has no cursors.
 */
import type { AssetPage } from './cma-calls.ts';
import { assertRange } from './connection.ts';
import { createCursorCheck } from './cursor-check.ts';

/** The predicate of a query. */
interface Filter {
  readonly where?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
}

/** A query; its other members are sent with every page. */
interface Query extends Filter {
  readonly pageSize?: number | undefined;
  readonly sort?: string | undefined;
}

type FindPage<Found> = (query: object) => Promise<AssetPage<Found, false>>;

/**
 * Yields the assets page by page. Throws a RangeError or a TypeError for an invalid query, and a ColophonError for a cursor that the
 * server has returned before.
 */
export async function* eachAsset<Found extends { readonly _id: string }>(
  { pageSize = 100, ...query }: Query,
  findPage: FindPage<Found>,
): AsyncGenerator<Found, void, undefined> {
  assertRange('pageSize', pageSize, { min: 1, max: 1000 });
  assertWhole(query);
  const paged = { ...query, limit: pageSize, count: false };
  let page = await findPage({ ...paged, cursor: '' });
  const toNew = createCursorCheck();
  for (;;) {
    yield* page.items;
    if (page.next === undefined) return;
    page = await findPage({ ...paged, cursor: toNew(page.next) });
  }
}

/**
 * Refuses the parameters of a single page. The compiler accepts them in a query that is a variable, and an offset would silently
 * skip assets.
 */
function assertWhole(query: { readonly [name: string]: unknown }): void {
  const part = ['offset', 'limit', 'count', 'cursor', 'facets', 'explain'].find(
    (name) => query[name] !== undefined,
  );
  if (part !== undefined) throw new TypeError(`eachAsset takes no ${part}: it goes through all pages`);
}
