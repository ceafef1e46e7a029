/**
 * Chooses the store of a location, MongoDB when a URL is set and otherwise the embedded SQLite file, and opens it for content types, or
 * the place of its files, which is that of the store unless another one is set.
 */
import type { Logger } from '../base/runtime.ts';
import type { Catalog } from '../model/content-type.ts';
import type { FilePlace } from './file-place.ts';
import { createMongoAdapter } from './mongo/mongo-adapter.ts';
import type { ContentStore } from './port.ts';
import { findRenames } from './renames/find-renames.ts';
import { parseNames, printNames } from './renames/recorded-names.ts';
import type { Renames } from './renames/renames.ts';
import { openBucket } from './s3/open-bucket.ts';
import { createSqliteAdapter } from './sqlite/sqlite-adapter.ts';
import type { OpenOptions, StoreAdapter } from './store-adapter.ts';

/** Where a store is. */
export interface StoreLocation {
  readonly dataDir: string;
  readonly mongodbUrl?: string | undefined;
}

/** Where the bytes of files are. */
export interface FileLocation extends StoreLocation {
  /** The address of a bucket; absent for the store's own place. */
  readonly filesUrl?: string | undefined;
}

export interface StoreOptions extends StoreLocation, OpenOptions {}

export const adapterOf = ({ dataDir, mongodbUrl }: StoreLocation): StoreAdapter =>
  mongodbUrl === undefined ? createSqliteAdapter(dataDir) : createMongoAdapter(mongodbUrl);

/**
 * Opens a store for the types of a catalog, and loads only the adapter it uses. Unless it is only read, the store's record of names has
 * those of the catalog then.
 *
 * Errors: bad_config when Colophon cannot use the store, store_busy, store_failure.
 */
export async function openStore({ dataDir, mongodbUrl, ...options }: StoreOptions): Promise<ContentStore> {
  const adapter = adapterOf({ dataDir, mongodbUrl });
  const renames = await chooseNames(adapter, options);
  const store = await adapter.open({ ...options, catalog: renames.stored });
  if (renames.types.size === 0) return store;
  const { createRenamedStore } = await import('./renames/renamed-store.ts');
  return createRenamedStore(store, renames);
}

/**
 * Opens the place of files. Errors: bad_config when the address is wrong or a package is missing, store_busy, store_failure.
 */
export async function openFilePlace({ filesUrl, ...location }: FileLocation): Promise<FilePlace> {
  if (filesUrl === undefined) return adapterOf(location).openFilePlace();
  return openBucket(filesUrl);
}

/** Chooses the stored names of a catalog, and records them: again when another process has recorded others meanwhile. */
async function chooseNames(adapter: StoreAdapter, options: OpenOptions): Promise<Renames> {
  for (;;) {
    const former = await adapter.readNames();
    const renames = await findStoredNames(adapter, options, former);
    const names = printNames(renames.names);
    if (options.isReadOnly || names === former) return renames;
    if (await adapter.replaceNames({ former, names })) return renames;
  }
}

/** Finds the stored names of a catalog. The count of values that it may need gets as long as it takes. */
const findStoredNames = (
  adapter: StoreAdapter,
  { catalog, logger }: Pick<OpenOptions, 'catalog' | 'logger'>,
  names: string | undefined,
): Promise<Renames> =>
  findRenames(catalog, {
    names: parseNames(names),
    open: (stored) => adapter.open({ catalog: stored, logger, isReadOnly: true, queryMs: countingMs }),
  });

const countingMs = 600_000;

/**
 * Returns the catalog with the names under which a store has its content: for what reads a store itself, without the port.
 *
 * Errors: bad_config, store_busy, store_failure.
 */
export async function toStoredNames(
  adapter: StoreAdapter,
  options: { readonly catalog: Catalog; readonly logger: Logger },
): Promise<Catalog> {
  if (!adapter.exists()) return options.catalog;
  return (await findStoredNames(adapter, options, await adapter.readNames())).stored;
}
