/**
 * Opens the configured store: MongoDB when a URL is set, otherwise the embedded SQLite file.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { badConfig } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import type { Catalog } from '../model/content-type.ts';
import type { DumpOptions, StoreDump } from './copy/store-dump.ts';
import type { StoreLoader } from './copy/store-loader.ts';
import type { RunObserver } from './fair-queue.ts';
import type { InspectionOptions, StoreInspection } from './inspection/store-inspection.ts';
import type { ContentStore } from './port.ts';
import { findRenames } from './renames/find-renames.ts';
import { type NamesChange, parseNames, printNames } from './renames/recorded-names.ts';
import type { Renames } from './renames/renames.ts';
import type { KnownTypes, ServingTiming } from './served-types.ts';
import type { WriterHost } from './sqlite/writer/writer-host.ts';

/** Which store to open, and how. */
export interface StoreOptions {
  readonly dataDir: string;
  readonly mongodbUrl?: string;
  readonly catalog: Catalog;
  readonly logger: Logger;
  /** How long a search may take; waiting for its turn does not count. Absent means `defaultQueryMs` of the port. */
  readonly queryMs?: number;
  /** Receives how long each search of a client has run. */
  readonly onSearch?: RunObserver | undefined;
  /** Whether the caller only reads: nothing is changed, and a missing store is read as an empty one. */
  readonly isReadOnly?: boolean;
  /** How a process that serves reports to the store; for tests. */
  readonly timing?: ServingTiming;
  /** The channel to the parent process, which has the writer of its workers. Only for SQLite. */
  readonly writer?: Duplex;
}

/** Where a store is. */
export type StoreLocation = Pick<StoreOptions, 'dataDir' | 'mongodbUrl'>;

/**
 * Opens a store for the types of a catalog, and loads only the adapter it uses. Unless it is only read, the store's record of names has
 * those of the catalog then.
 *
 * Errors: bad_config when Colophon cannot use the store, store_busy, store_failure.
 */
export async function openStore(options: StoreOptions): Promise<ContentStore> {
  const renames = await chooseNames(options);
  const store = await openAdapter({ ...options, catalog: renames.stored });
  if (renames.types.size === 0) return store;
  const { createRenamedStore } = await import('./renames/renamed-store.ts');
  return createRenamedStore(store, renames);
}

/** Chooses the stored names of a catalog, and records them: again when another process has recorded others meanwhile. */
async function chooseNames(options: StoreOptions): Promise<Renames> {
  for (;;) {
    const former = await readNames(options);
    const renames = await findStoredNames(options, former);
    const names = printNames(renames.names);
    if (options.isReadOnly || names === former) return renames;
    if (await replaceNames(options, { former, names })) return renames;
  }
}

/** Finds the stored names of a catalog. The count of values that it may need gets as long as it takes. */
function findStoredNames(
  { dataDir, mongodbUrl, catalog, logger }: StoreLocation & Pick<StoreOptions, 'catalog' | 'logger'>,
  text: string | undefined,
): Promise<Renames> {
  const location = { dataDir, ...(mongodbUrl !== undefined && { mongodbUrl }) };
  return findRenames(catalog, {
    names: parseNames(text),
    open: (stored) =>
      openAdapter({ ...location, catalog: stored, logger, isReadOnly: true, queryMs: countingMs }),
  });
}

const countingMs = 600_000;

/** Opens a store whose names are those of the catalog. */
async function openAdapter({ dataDir, mongodbUrl, ...options }: StoreOptions): Promise<ContentStore> {
  if (mongodbUrl !== undefined) {
    const { createMongoStore } = await import('./mongo/mongo-store.ts');
    return createMongoStore({ url: mongodbUrl, ...options });
  }
  if (!options.isReadOnly) createFolder(dataDir);
  const { createSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return createSqliteStore({ file: join(dataDir, fileName), ...options });
}

/** Reads the record of names of a store, as text. A missing store has none. */
async function readNames({ dataDir, mongodbUrl }: StoreLocation): Promise<string | undefined> {
  if (mongodbUrl !== undefined) {
    const mongo = await import('./mongo/recorded-names.ts');
    return mongo.readRecordedNames(mongodbUrl);
  }
  const file = join(dataDir, fileName);
  if (!existsSync(file)) return undefined;
  const sqlite = await import('./sqlite/recorded-names.ts');
  return sqlite.readRecordedNames(file);
}

/** Replaces the record of names if it is still the former one. Returns whether it was. */
async function replaceNames({ dataDir, mongodbUrl }: StoreLocation, change: NamesChange): Promise<boolean> {
  if (mongodbUrl !== undefined) {
    const mongo = await import('./mongo/recorded-names.ts');
    return mongo.replaceRecordedNames(mongodbUrl, change);
  }
  createFolder(dataDir);
  const sqlite = await import('./sqlite/recorded-names.ts');
  return sqlite.replaceRecordedNames(join(dataDir, fileName), change);
}

/**
 * Returns the catalog with the names under which a store has its content: for what reads a store itself, without the port.
 *
 * Errors: bad_config, store_busy, store_failure.
 */
export async function toStoredNames(
  location: StoreLocation,
  { catalog, logger }: Pick<StoreOptions, 'catalog' | 'logger'>,
): Promise<Catalog> {
  if (!hasStore(location)) return catalog;
  return (await findStoredNames({ ...location, catalog, logger }, await readNames(location))).stored;
}

/**
 * Creates the writer that several workers of this process share, and loads only what it needs. MongoDB has none.
 */
export async function createSharedWriter({
  dataDir,
  mongodbUrl,
  logger,
}: Pick<StoreOptions, 'dataDir' | 'mongodbUrl' | 'logger'>): Promise<WriterHost | undefined> {
  if (mongodbUrl !== undefined) return undefined;
  const { createWriterHost } = await import('./sqlite/writer/writer-host.ts');
  return createWriterHost({ file: join(dataDir, fileName), logger });
}

/**
 * Reads the types a store knows, without opening it for a catalog. A missing store knows none.
 *
 * Errors: bad_config, store_busy, store_failure.
 */
export async function readKnownTypes({ dataDir, mongodbUrl }: StoreLocation): Promise<KnownTypes> {
  if (mongodbUrl !== undefined) {
    const { readMongoTypes } = await import('./mongo/known-types.ts');
    return readMongoTypes(mongodbUrl);
  }
  const file = join(dataDir, fileName);
  if (!existsSync(file)) return { populated: [] };
  const { readSqliteTypes } = await import('./sqlite/known-types.ts');
  return readSqliteTypes(file);
}

/**
 * Opens a store to copy it as a whole; other processes may go on writing.
 *
 * Errors: bad_config when there is no store, or one that Colophon cannot read; store_busy, store_failure.
 */
export async function openDump(
  { dataDir, mongodbUrl }: StoreLocation,
  options: DumpOptions,
): Promise<StoreDump> {
  if (mongodbUrl !== undefined) {
    const { createMongoDump } = await import('./mongo/copy/dump-database.ts');
    return createMongoDump(mongodbUrl, options);
  }
  const file = findFile(dataDir);
  const { createSqliteDump } = await import('./sqlite/copy/dump-file.ts');
  return createSqliteDump(file, options);
}

/**
 * Begins to fill an empty store with a copy. With `isReplacing`, what the store has is replaced: an SQLite file when the copy is
 * complete, the content of a MongoDB database at once.
 *
 * Errors: transfer_failed when there is a store, or one that is in use; bad_config, store_busy, store_failure.
 */
export async function openLoader(
  { dataDir, mongodbUrl }: StoreLocation,
  options: { readonly isReplacing: boolean; readonly catalog: Catalog },
): Promise<StoreLoader> {
  if (mongodbUrl !== undefined) {
    const { createMongoLoader } = await import('./mongo/copy/load-database.ts');
    return createMongoLoader({ url: mongodbUrl, ...options });
  }
  createFolder(dataDir);
  const { createSqliteLoader } = await import('./sqlite/copy/load-file.ts');
  return createSqliteLoader({ file: join(dataDir, fileName), ...options });
}

/** Tells whether the embedded store has been created; a database of MongoDB needs no creation. */
export const hasStore = ({ dataDir, mongodbUrl }: Pick<StoreOptions, 'dataDir' | 'mongodbUrl'>): boolean =>
  mongodbUrl !== undefined || existsSync(join(dataDir, fileName));

/**
 * Opens a store to check it for damage.
 *
 * Errors: bad_config when there is no store, or one that Colophon cannot read; store_busy, store_failure.
 */
export async function openInspection(
  { dataDir, mongodbUrl }: StoreLocation,
  options: InspectionOptions,
): Promise<StoreInspection> {
  if (mongodbUrl !== undefined) {
    const { createMongoInspection } = await import('./mongo/inspection/inspect-database.ts');
    return createMongoInspection(mongodbUrl, options);
  }
  const file = findFile(dataDir);
  const { createSqliteInspection } = await import('./sqlite/inspection/inspect-file.ts');
  return createSqliteInspection(file, options);
}

const createFolder = (dataDir: string) => mkdirSync(dataDir, { recursive: true, mode: 0o700 });

/** Returns the path of a store's file. Errors: bad_config when there is none. */
function findFile(dataDir: string): string {
  const file = join(dataDir, fileName);
  if (!existsSync(file)) throw badConfig([{ path: file, message: 'does not exist' }]);
  return file;
}

const fileName = 'colophon.db';
