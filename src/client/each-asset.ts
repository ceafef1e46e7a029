/**
 * Iterates over all assets of a query by keyset paging: each page starts after the last `_id` of the one before.
 */
import type { AssetPage } from './cma-client.ts';
import { assertRange } from './connection.ts';

/** The predicate of a query. */
interface Filter {
  readonly where?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
}

/** A query; its other members are sent with every page. */
interface Query extends Filter {
  readonly pageSize?: number | undefined;
}

/** Yields the assets page by page. Throws a RangeError or a TypeError for an invalid query. */
export async function* eachAsset<Found extends { readonly _id: string }>(
  { pageSize = 100, ...query }: Query,
  findPage: (query: object) => Promise<AssetPage<Found, false>>,
): AsyncGenerator<Found, void, undefined> {
  assertRange('pageSize', pageSize, { min: 1, max: 1000 });
  assertWhole(query);
  let lastId: string | undefined;
  do {
    const behind = lastId === undefined ? {} : beginBehind(query, lastId);
    const { items } = await findPage({ ...query, ...behind, limit: pageSize, count: false });
    yield* items;
    lastId = items.length < pageSize ? undefined : items.at(-1)?._id;
  } while (lastId !== undefined);
}

/**
 * Refuses the parameters of a single page. The compiler accepts them in a query that is a variable, and an offset would silently
 * skip assets.
 */
function assertWhole(query: { readonly [name: string]: unknown }): void {
  const part = ['offset', 'limit', 'count'].find((name) => query[name] !== undefined);
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
