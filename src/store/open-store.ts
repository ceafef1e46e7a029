/**
 * Opens the configured store: MongoDB when a URL is set, otherwise the embedded SQLite file.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../base/runtime.ts';
import type { Catalog } from '../model/content-type.ts';
import type { ContentStore } from './port.ts';
import type { KnownTypes, ServingTiming } from './served-types.ts';

/** Which store to open, and how. */
export interface StoreOptions {
  readonly dataDir: string;
  readonly mongodbUrl?: string;
  readonly catalog: Catalog;
  readonly logger: Logger;
  /** How long a search may take; waiting for its turn does not count. Absent means `defaultQueryMs` of the port. */
  readonly queryMs?: number;
  /** Whether the caller only reads. */
  readonly isReadOnly?: boolean;
  /** How a process that serves reports to the store; for tests. */
  readonly timing?: ServingTiming;
}

/**
 * Opens a store for the types of a catalog, and loads only the adapter it uses.
 *
 * Errors: bad_config when Colophon cannot use the store, store_busy, store_failure.
 */
export async function openStore({ dataDir, mongodbUrl, ...options }: StoreOptions): Promise<ContentStore> {
  if (mongodbUrl !== undefined) {
    const { createMongoStore } = await import('./mongo/mongo-store.ts');
    return createMongoStore({ url: mongodbUrl, ...options });
  }
  mkdirSync(dataDir, { recursive: true });
  const { createSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return createSqliteStore({ file: join(dataDir, fileName), ...options });
}

/**
 * Reads the types a store knows, without opening it for a catalog. A missing store knows none.
 *
 * Errors: bad_config, store_busy, store_failure.
 */
export async function readKnownTypes({
  dataDir,
  mongodbUrl,
}: Pick<StoreOptions, 'dataDir' | 'mongodbUrl'>): Promise<KnownTypes> {
  if (mongodbUrl !== undefined) {
    const { readMongoTypes } = await import('./mongo/known-types.ts');
    return readMongoTypes(mongodbUrl);
  }
  const file = join(dataDir, fileName);
  if (!existsSync(file)) return { populated: [] };
  const { readSqliteTypes } = await import('./sqlite/known-types.ts');
  return readSqliteTypes(file);
}

const fileName = 'colophon.db';
