/**
 * Builds the variants of pictures, with their cache in the data folder.
 */
import { join } from 'node:path';
import type { Logger } from '../../base/runtime.ts';
import type { StoredFiles } from '../../files/stored-files.ts';
import { createVariantMaker } from '../../files/variants/make-variant.ts';
import { createPictureVariants, type PictureVariants } from '../../files/variants/picture-variants.ts';
import { createVariantCache } from '../../files/variants/variant-cache.ts';
import type { Config } from '../config/config.ts';

/** Creates the variants. */
export function createVariants(
  { dataDir, imageCacheBytes, workers }: Config,
  { files, logger }: { files: StoredFiles; logger: Logger },
): PictureVariants {
  const settings = { folder: join(dataDir, 'variants'), maxBytes: imageCacheBytes, processes: workers };
  const cache = imageCacheBytes === 0 ? undefined : createVariantCache(settings, logger);
  return createPictureVariants({ files, make: createVariantMaker(), cache });
}
