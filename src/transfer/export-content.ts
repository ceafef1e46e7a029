/**
 * Exports: page after page, each beginning behind the last `_id` of the one before, so that nothing is missed or given twice while
 * others write. The next page is on its way while one is written.
 */
import type { Asset } from '../model/content-type.ts';
import type { ContentTarget, Selection } from './target/content-target.ts';

/** Which assets to export, in the order of `from`. */
export interface ExportRequest {
  readonly from: readonly string[];
  readonly where?: string;
  readonly values?: readonly string[];
}

/** Some lines, ready to be written. */
export interface LineBlock {
  readonly text: string;
  readonly lines: number;
}

/** How many characters a page should have, and how many assets it may; the first tells how large they are. */
const pageCharacters = 250_000;
const maxPage = 1000;
const firstPage = 10;

/** The lines of all assets asked for. Errors: those of the target. */
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
      // What an earlier `from` covered has been exported whole.
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
    // Whoever takes no more of the pages does not await this one.
    next?.catch(() => undefined);
    yield { assets, lines };
  }
}

/** As many as make up a page of the wanted size, if they are like those before. */
function chooseLimit(lines: readonly string[]): number {
  const characters = lines.reduce((sum, line) => sum + line.length, 1);
  const fitting = Math.floor((pageCharacters * lines.length) / characters);
  return Math.min(maxPage, Math.max(1, fitting));
}

function behind({ where, ...selection }: Selection, id: string): Selection {
  const rest = `_id > '${id}'`;
  return { ...selection, where: where === undefined ? rest : `(${where}) and ${rest}` };
}
