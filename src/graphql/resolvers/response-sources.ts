/**
 * Collects the assets that a response is made from, for its cache tags.
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

/** So many assets are named; their tags alone take 2 KiB. */
const maxAssets = 56;

/** Creates the collector of one run. */
export function createSourceCollector(): SourceCollector {
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
