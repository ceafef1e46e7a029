/**
 * Iterates over all assets of a query, page by page: by cursor, or by the last `_id` of each page where the server has no cursors.
 */
import type { AssetPage } from './cma-client.ts';
import { assertRange } from './connection.ts';
import { createCursorCheck } from './cursor-check.ts';
import { ColophonError } from './errors.ts';

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
  let page = await findPage({ ...paged, cursor: '' }).catch((error: unknown) => {
    if (isWithoutCursors(error) && query.sort === undefined) return undefined;
    throw error;
  });
  if (!page) return yield* eachById(paged, findPage);
  const toNew = createCursorCheck();
  for (;;) {
    yield* page.items;
    if (page.next === undefined) return;
    page = await findPage({ ...paged, cursor: toNew(page.next) });
  }
}

/** Whether an error is that of a server of 0.1, which has no such parameter. */
const isWithoutCursors = (error: unknown) =>
  error instanceof ColophonError && error.code === 'invalid_parameter' && error.path === 'cursor';

/** Yields the assets in the order of their `_id`: each page starts after the last one of the page before. */
async function* eachById<Found extends { readonly _id: string }>(
  query: Filter & { readonly limit: number },
  findPage: FindPage<Found>,
): AsyncGenerator<Found, void, undefined> {
  const toNew = createCursorCheck();
  let lastId: string | undefined;
  do {
    const { items } = await findPage(
      lastId === undefined ? query : { ...query, ...beginBehind(query, lastId) },
    );
    yield* items;
    const last = items.length < query.limit ? undefined : items.at(-1);
    lastId = last && toNew(last._id);
  } while (lastId !== undefined);
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

/**
 * Restricts the predicate to assets after an `_id`. The first page has used the predicate unchanged, so it is complete, and it is
 * safe to put it in parentheses.
 */
function beginBehind({ where, values = [] }: Filter, id: string): Filter {
  if (where === undefined) return { where: '_id > ?', values: [id] };
  // Either all placeholders are numbered or none.
  const placeholder = /\?[0-9]/.test(where.replace(quotedText, '')) ? `?${values.length}` : '?';
  return { where: `(${where}) and _id > ${placeholder}`, values: [...values, id] };
}

const quotedText = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/gs;
