/**
 * Exports assets page by page. Each page starts after the last `_id` of the one before, so that no asset is missed or exported twice
 * while others write. The next page is requested while the current one is written.
 */
import type { Asset } from '../model/content-type.ts';
import type { ContentTarget, Selection } from './target/content-target.ts';

/** Which assets to export, in the order of `from`. */
export interface ExportRequest {
  readonly from: readonly string[];
  readonly where?: string;
  readonly values?: readonly string[];
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

/** Yields the lines of all requested assets. Errors: those of the target. */
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

async function* eachPage(target: ContentTarget, selection: Selection): AsyncGenerator<Page> {
  let next: Promise<readonly Asset[]> | undefined = target.page(selection, firstPage);
  let limit = firstPage;
  while (next) {
    const assets: readonly Asset[] = await next;
    const lines = assets.map((asset) => JSON.stringify(asset));
    const last = assets.length < limit ? undefined : assets.at(-1);
    limit = chooseLimit(lines);
    next = last && target.page(behind(selection, last._id), limit);
    // When the reader stops early, this page is not awaited.
    next?.catch(() => undefined);
    yield { assets, lines };
  }
}

/** Chooses how many assets make a page of the target size, judging by the last page. */
function chooseLimit(lines: readonly string[]): number {
  const characters = lines.reduce((sum, line) => sum + line.length, 1);
  const fitting = Math.floor((pageCharacters * lines.length) / characters);
  return Math.min(maxPage, Math.max(1, fitting));
}

function behind({ where, ...selection }: Selection, id: string): Selection {
  const rest = `_id > '${id}'`;
  return { ...selection, where: where === undefined ? rest : `(${where}) and ${rest}` };
}
