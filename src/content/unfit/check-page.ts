/**
 * Checks the assets of a page while they are read, so that a page that is never whole in memory can be checked as well.
 */
import type { Asset } from '../../model/content-type.ts';
import type { FieldSelection } from '../../query/select-fields.ts';
import type { StoredText } from '../../store/port.ts';
import type { OpenPage } from '../reading/read-chunks.ts';
import type { UnfitContent, UnfitField } from './unfit-content.ts';

/** A page, and the unfit fields of its assets read so far. */
export interface WatchedPage {
  readonly watched: OpenPage<StoredText>;
  readonly unfit: readonly UnfitField[];
}

/**
 * Checks the assets of a page as they are read; the caller must read the rest through `watched`. With a selection, `watched` has the
 * selected fields only, and `unfit` what does not fit of them.
 */
export function watchPage(
  page: OpenPage<StoredText>,
  content: UnfitContent,
  selection?: FieldSelection,
): WatchedPage {
  const unfit: UnfitField[] = [];
  const check = (texts: readonly StoredText[]) => {
    const found = content.checkTexts(texts);
    unfit.push(...(selection ? found.filter(({ path }) => selection.covers(path)) : found));
    return selection ? texts.map((text) => pickFromText(text, selection)) : texts;
  };
  const first = check(page.first);
  const { rest } = page;
  return { watched: rest ? { ...page, first, rest: mapChunks(rest, check) } : { ...page, first }, unfit };
}

/** Returns a page whose assets have their selected fields only. */
export function selectFromPage(page: OpenPage<StoredText>, selection: FieldSelection): OpenPage<StoredText> {
  const pick = (texts: readonly StoredText[]) => texts.map((text) => pickFromText(text, selection));
  const { rest } = page;
  return { ...page, first: pick(page.first), ...(rest && { rest: mapChunks(rest, pick) }) };
}

/** Returns an asset with its selected fields only. */
export function pickFromText<Text extends StoredText>(
  stored: Text,
  selection: Pick<FieldSelection, 'pick'>,
): Text {
  // Every stored text is that of an asset.
  return { ...stored, text: JSON.stringify(selection.pick(JSON.parse(stored.text) as Asset)) };
}

/** Passes each chunk through `map`. Not a generator, since that would keep a chunk in memory until the next one is requested. */
function mapChunks(
  chunks: AsyncIterable<readonly StoredText[]>,
  map: (texts: readonly StoredText[]) => readonly StoredText[],
): AsyncIterable<readonly StoredText[]> {
  return {
    [Symbol.asyncIterator]() {
      const source = chunks[Symbol.asyncIterator]();
      const next = async (): Promise<IteratorResult<readonly StoredText[], undefined>> => {
        const chunk = await source.next();
        return chunk.done ? { done: true, value: undefined } : { done: false, value: map(chunk.value) };
      };
      return { next };
    },
  };
}
