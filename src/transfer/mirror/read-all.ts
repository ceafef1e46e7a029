/**
 * Reads all assets of a page of a store, which returns large pages in chunks.
 */
import type { Asset } from '../../model/content-type.ts';
import type { Chunk, ContentStore } from '../../store/port.ts';

/** Returns the assets of a first chunk and of those after it, in their order. */
export async function readAll(store: ContentStore, first: Chunk): Promise<Asset[]> {
  const assets: Asset[] = [];
  for (let chunk = first; ; chunk = await store.getChunk(chunk.rest)) {
    assets.push(...chunk.items.map(({ asset }) => asset));
    if (!chunk.rest) return assets;
  }
}
