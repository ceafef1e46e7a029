/**
 * Exports assets page by page. Each page starts after the last `_id` of the one before, so that no asset is missed or exported twice
 * while others write. Sorted exports are read by cursor; an asset whose place in the order changes meanwhile may be missed or exported
 * twice. The next page is requested while the current one is written.
 */

import type { Asset } from '../model/content-type.ts';
import {
  type ContentTarget,
  checkCursors,
  type Selection,
  type SortedSelection,
} from './target/content-target.ts';

/** Which assets to export, in the order of `from`. */
export interface ExportRequest {
  readonly from: readonly string[];
  readonly where?: string;
  readonly values?: readonly string[];
  /** The paths of the fields of a line, beside `_id` and `_type`; absent means all. */
  readonly fields?: readonly string[];
  /** The order of the assets of each of `from`, as in a `SortedSelection`; absent means by `_id`. */
  readonly sort?: readonly string[];
}

/** A block of lines to write. */
export interface LineBlock {
  readonly text: string;
  readonly lines: number;
}

/** The target size of a page and its limit; the first page shows how large the assets are. */
const pageCharacters = 250_000;
const maxPage = 1000;
const firstPage = 10;

/** Yields the lines of all requested assets. Errors: those of the target; transfer_failed when its pages repeat. */
export async function* exportContent(
  target: ContentTarget,
  request: ExportRequest,
): AsyncGenerator<LineBlock> {
  const { from: froms, ...rest } = request;
  const done = new Set<string>();
  for (const from of froms) {
    const types = new Set<string>();
    for await (const { assets, lines } of eachPage(target, { from, ...rest })) {
      for (const { _type } of assets) types.add(_type);
      // An earlier `from` has exported these types already.
      const own = lines.filter((_, index) => !done.has(assets[index]?._type ?? ''));
      if (own.length > 0) yield { text: `${own.join('\n')}\n`, lines: own.length };
    }
    for (const type of types) done.add(type);
  }
}

interface Page {
  readonly assets: readonly Asset[];
  readonly lines: readonly string[];
}

async function* eachPage(target: ContentTarget, { sort, ...selection }: Order): AsyncGenerator<Page> {
  let limit = firstPage;
  const toNew = checkCursors();
  const source = { target, toNew };
  let next = (sort ? readSorted(source, { sort, ...selection }) : readById(source, selection))(limit);
  for (;;) {
    const { assets, following } = await next;
    const lines = assets.map((asset) => JSON.stringify(asset));
    limit = chooseLimit(lines, limit);
    const requested = following?.(limit);
    // When the reader stops early, this page is not awaited.
    requested?.catch(() => undefined);
    yield { assets, lines };
    if (!requested) return;
    next = requested;
  }
}

type Order = Omit<ExportRequest, 'from'> & Pick<Selection, 'from'>;

/** Reads a page of at most `limit` assets. */
type ReadPage = (limit: number) => Promise<FoundPage>;

interface FoundPage {
  readonly assets: readonly Asset[];
  /** Reads the page after it; absent after the last one. */
  readonly following?: ReadPage;
}

/** Where pages come from; `toNew` returns their cursors, unless one repeats. */
interface PageSource {
  readonly target: ContentTarget;
  readonly toNew: (cursor: string) => string;
}

function readById(source: PageSource, selection: Selection, lastId?: string): ReadPage {
  const { target, toNew } = source;
  return async (limit) => {
    const assets = await target.page(lastId === undefined ? selection : behind(selection, lastId), limit);
    const last = assets.length < limit ? undefined : assets.at(-1);
    return { assets, ...(last && { following: readById(source, selection, toNew(last._id)) }) };
  };
}

function readSorted(source: PageSource, selection: SortedSelection, cursor = ''): ReadPage {
  const { target, toNew } = source;
  return async (limit) => {
    const { items, next } = await target.sortedPage(selection, { cursor, limit });
    return {
      assets: items,
      ...(next !== undefined && { following: readSorted(source, selection, toNew(next)) }),
    };
  };
}

/** Chooses how many assets make a page of the target size, from the size of the last page. A page by cursor may have none. */
function chooseLimit(lines: readonly string[], limit: number): number {
  if (lines.length === 0) return limit;
  const characters = lines.reduce((sum, line) => sum + line.length, 1);
  const fitting = Math.floor((pageCharacters * lines.length) / characters);
  return Math.min(maxPage, Math.max(1, fitting));
}

function behind({ where, ...selection }: Selection, id: string): Selection {
  const rest = `_id > '${id}'`;
  return { ...selection, where: where === undefined ? rest : `${rest} and (${where})` };
}
