/**
 * Builds the services of files of an instance: uploads, what is stored, the variants of pictures with their cache in the data folder, and
 * the deletion of what nothing uses.
 */
import { join } from 'node:path';
import type { RateLimits } from '../../access/rate-limits.ts';
import type { ContentService } from '../../content/content-service.ts';
import { createFileUses, createUnusedFiles, type UnusedFiles } from '../../content/files/unused-files.ts';
import { createStoredFiles, type StoredFiles } from '../../files/stored-files.ts';
import { createUploader, type Uploader } from '../../files/upload-file.ts';
import { createVariantMaker } from '../../files/variants/picture-variant.ts';
import { createPictureVariants, type PictureVariants } from '../../files/variants/picture-variants.ts';
import { createVariantCache } from '../../files/variants/variant-cache.ts';
import type { FilePlace } from '../../store/file-place.ts';
import type { ContentStore } from '../../store/port.ts';
import type { Config } from '../config/config.ts';
import type { Runtime } from './runtime.ts';

/** The services of files. */
export interface ServedFiles {
  readonly files: StoredFiles;
  readonly uploader: Uploader;
  readonly variants: PictureVariants;
  readonly unusedFiles: UnusedFiles;
}

/** Builds the services. `system` is the content service of system records. */
export function createServedFiles(
  { dataDir, imageCacheBytes, maxFileBytes, workers }: Config,
  {
    runtime: { clock, ids, logger },
    system,
    store,
    place,
    rateLimits,
  }: {
    runtime: Runtime;
    system: ContentService;
    store: ContentStore;
    place: FilePlace;
    rateLimits: RateLimits | undefined;
  },
): ServedFiles {
  const files = createStoredFiles({ system, place, clock, logger });
  const cached = { folder: join(dataDir, 'variants'), maxBytes: imageCacheBytes, processes: workers };
  const cache = imageCacheBytes === 0 ? undefined : createVariantCache(cached, logger);
  const variants = createPictureVariants({
    files,
    make: createVariantMaker(),
    cache,
    onRun: rateLimits?.charge,
  });
  const uses = createFileUses({ system, store });
  return {
    files,
    variants,
    uploader: createUploader({ system, place, clock, ids, maxFileBytes }),
    unusedFiles: createUnusedFiles({ system, uses, place, clock, onDeleted: variants.remove }),
  };
}
