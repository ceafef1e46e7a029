/**
 * Opens the store an installation is set up for: MongoDB when there is a URL, else the embedded SQLite file.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../base/runtime.ts';
import type { Catalog } from '../model/content-type.ts';
import type { ContentStore } from './port.ts';

/**
 * Opens a store for the types of a catalog; only the adapter that is used is loaded.
 *
 * Errors: bad_config when the store is not ours or an index cannot be made, store_busy, store_failure.
 */
export async function openStore({
  dataDir,
  mongodbUrl,
  catalog,
  logger,
}: {
  dataDir: string;
  mongodbUrl?: string;
  catalog: Catalog;
  logger: Logger;
}): Promise<ContentStore> {
  if (mongodbUrl !== undefined) {
    const { createMongoStore } = await import('./mongo/mongo-store.ts');
    return createMongoStore({ url: mongodbUrl, catalog, logger });
  }
  mkdirSync(dataDir, { recursive: true });
  const { createSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return createSqliteStore({ file: join(dataDir, 'colophon.db'), catalog, logger });
}
