/**
 * Finds out what does not fit of a page while it is read, so that a page that is never whole in memory can be told of.
 */
import type { Asset } from '../../model/content-type.ts';
import type { OpenPage } from '../reading/read-chunks.ts';
import type { UnfitContent, UnfitField } from './unfit-content.ts';

/** A page, and what does not fit of the assets that were read of it so far. */
export interface WatchedPage {
  readonly watched: OpenPage;
  readonly unfit: readonly UnfitField[];
}

/** Watches a page, whose rest is to be read through what is returned. */
export function watchPage(page: OpenPage, content: UnfitContent): WatchedPage {
  const unfit: UnfitField[] = [];
  const check = (assets: readonly Asset[]) => void unfit.push(...content.checkAll(assets));
  check(page.first);
  const { rest } = page;
  return { watched: rest ? { ...page, rest: watchChunks(rest, check) } : page, unfit };
}

/** No generator, which would keep a chunk while its reader waits to take the next one. */
function watchChunks(
  chunks: AsyncIterable<readonly Asset[]>,
  check: (assets: readonly Asset[]) => void,
): AsyncIterable<readonly Asset[]> {
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
