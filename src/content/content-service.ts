/**
 * The content service: the one way to content, for every door, and the only caller of the store port.
 *
 * A service covers one catalog. The types that users write and the types of Colophon's own records are two catalogs over one
 * store, so that neither service can see, write or refer into the other's.
 */
import { type Clock, type IdSource, type Logger, silentLogger } from '../base/runtime.ts';
import type { Catalog } from '../model/content-type.ts';
import { createAssetValidators } from '../model/validate-asset.ts';
import type { ContentStore } from '../store/port.ts';
import { createUniqueKeys } from './batch/unique-keys.ts';
import { type BatchWriter, createBatchWriter } from './batch/write-batch.ts';
import { type ContentRules, createWritePreparer } from './prepare-write.ts';
import { type AssetFinder, createAssetFinder } from './reading/find-assets.ts';
import { createUnfitContent, type UnfitContent } from './unfit/unfit-content.ts';
import { type AssetWriter, createAssetWriter } from './write-asset.ts';

/** What this service gives and takes of the store: parts that use it need not know the port. */
export type { StoredAsset } from '../store/port.ts';

/** Everything that may be done with the content of one catalog. */
export interface ContentService extends AssetFinder, AssetWriter, BatchWriter {
  readonly catalog: Catalog;
  readonly unfit: UnfitContent;
  /** A text that differs once an asset of one of these classes was written since, by any process. */
  revision(...classNames: string[]): Promise<string>;
}

/** Makes the content service of one catalog. */
export function createContentService({
  catalog,
  store,
  clock,
  ids,
  logger = silentLogger,
  rules,
}: {
  catalog: Catalog;
  store: ContentStore;
  clock: Clock;
  ids: IdSource;
  logger?: Logger;
  rules: ContentRules;
}): ContentService {
  const finder = createAssetFinder({ catalog, store });
  const validators = createAssetValidators(catalog);
  const preparer = createWritePreparer({ catalog, validators, clock, rules });
  const keys = createUniqueKeys(catalog, validators);
  const unfit = createUnfitContent({ catalog, validators, store, logger });
  return {
    catalog,
    unfit,
    ...finder,
    ...createAssetWriter({ store, finder, preparer, ids, rules }),
    ...createBatchWriter({ catalog, store, preparer, keys, unfit, ids, rules }),
    revision: (...classNames) => store.revision(classNames),
  };
}
