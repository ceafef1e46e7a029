/**
 * Checks the assets of a page while they are read, so that a page that is never whole in memory can be checked as well.
 */
import type { StoredText } from '../../store/port.ts';
import type { OpenPage } from '../reading/read-chunks.ts';
import type { UnfitContent, UnfitField } from './unfit-content.ts';

/** A page, and the unfit fields of its assets read so far. */
export interface WatchedPage {
  readonly watched: OpenPage<StoredText>;
  readonly unfit: readonly UnfitField[];
}

/** Checks the assets of a page as they are read; the caller must read the rest through `watched`. */
export function watchPage(page: OpenPage<StoredText>, content: UnfitContent): WatchedPage {
  const unfit: UnfitField[] = [];
  const check = (texts: readonly StoredText[]) => void unfit.push(...content.checkTexts(texts));
  check(page.first);
  const { rest } = page;
  return { watched: rest ? { ...page, rest: watchChunks(rest, check) } : page, unfit };
}

/** Checks each chunk. Not a generator, since that would keep a chunk in memory until the next one is requested. */
function watchChunks(
  chunks: AsyncIterable<readonly StoredText[]>,
  check: (texts: readonly StoredText[]) => void,
): AsyncIterable<readonly StoredText[]> {
  return {
    [Symbol.asyncIterator]() {
      const source = chunks[Symbol.asyncIterator]();
      const next = async () => {
        const chunk = await source.next();
        if (!chunk.done) check(chunk.value);
        return chunk;
      };
      return { next };
    },
  };
}
