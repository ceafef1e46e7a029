/**
 * The content service: the one way to content, for every door, and the only caller of the store port.
 *
 * A service covers one catalog. The types that users write and the types of Colophon's own records are two catalogs over one
 * store, so that neither service can see, write or refer into the other's.
 */
import type { Clock, IdSource } from '../base/runtime.ts';
import type { Catalog } from '../model/content-type.ts';
import type { ContentStore } from '../store/port.ts';
import { type AssetFinder, createAssetFinder } from './find-assets.ts';
import { type AssetWriter, type ContentRules, createAssetWriter } from './write-asset.ts';

/** Everything that may be done with the content of one catalog. */
export interface ContentService extends AssetFinder, AssetWriter {
  readonly catalog: Catalog;
  /** A text that differs once an asset of one of these classes was written since, by any process. */
  revision(...classNames: string[]): Promise<string>;
}

/** Makes the content service of one catalog. */
export function createContentService({
  catalog,
  store,
  clock,
  ids,
  rules,
}: {
  catalog: Catalog;
  store: ContentStore;
  clock: Clock;
  ids: IdSource;
  rules: ContentRules;
}): ContentService {
  const finder = createAssetFinder({ catalog, store });
  const writer = createAssetWriter({ catalog, store, finder, clock, ids, rules });
  return { catalog, ...finder, ...writer, revision: (...classNames) => store.revision(classNames) };
}
