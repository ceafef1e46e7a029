/**
 * Goes through all assets of a query by keyset: each page is asked for by the `_id` it begins behind.
 */
import type { AssetPage } from './cma-client.ts';
import { assertRange } from './connection.ts';

/** What tells which assets are meant. */
interface Filter {
  readonly where?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
}

/** What a query is besides its filter goes along with every page. */
interface Query extends Filter {
  readonly pageSize?: number | undefined;
}

/** Yields the assets of page after page. Throws a RangeError or a TypeError over a query that cannot be. */
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
 * Refuses what belongs to a single page. The compiler lets it pass in a query that is a variable, and an offset, left out of every
 * page, would lose assets without a word.
 */
function assertWhole(query: { readonly [name: string]: unknown }): void {
  const part = ['offset', 'limit', 'count'].find((name) => query[name] !== undefined);
  if (part !== undefined) throw new TypeError(`eachAsset takes no ${part}: it goes through all pages`);
}

/**
 * The predicate of what comes after an asset. The first page was found by the predicate as it was given, so it is a whole one, and
 * brackets around it mean what they seem to.
 */
function beginBehind({ where, values = [] }: Filter, id: string): Filter {
  if (where === undefined) return { where: '_id > ?', values: [id] };
  // Placeholders are numbered all or none.
  const placeholder = /\?[0-9]/.test(where.replace(quotedText, '')) ? `?${values.length}` : '?';
  return { where: `(${where}) and _id > ${placeholder}`, values: [...values, id] };
}

const quotedText = /'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"/gs;
