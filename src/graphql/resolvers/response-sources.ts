/**
 * Collects the assets that a response is made from, for its cache tags, and for erasing it with them if it is stored.
 */
import type { Asset } from '../../model/content-type.ts';
import type { ResponseSources } from '../operation.ts';

/** Collects the sources of one response. */
export interface SourceCollector {
  add(asset: Pick<Asset, '_id' | '_type'>): void;
  /** Notes that an asset was looked up that does not exist, or that the caller may not see. */
  noteMissing(): void;
  sources(): ResponseSources;
}

/** How many assets are named for cache tags; their tags alone take 2 KiB. */
export const maxTaggedSources = 56;

/** How many assets a stored response may contain. */
export const maxKeptSources = 1_000;

/** Creates the collector of one run, which names at most so many assets. */
export function createSourceCollector(maxAssets: number): SourceCollector {
  const assets = new Map<string, string>();
  let hasMore = false;
  let hasMissing = false;
  return {
    add({ _id: id, _type: type }) {
      if (assets.size < maxAssets || assets.has(id)) assets.set(id, type);
      else hasMore = true;
    },
    noteMissing() {
      hasMissing = true;
    },
    sources: () => ({ assets, hasMore, hasMissing }),
  };
}
