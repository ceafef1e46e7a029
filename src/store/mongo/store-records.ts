/**
 * What a database tells before it is opened for content types: the record of names, a document of the collection `store`, and the
 * content types.
 */
import type { NamesChange } from '../renames/recorded-names.ts';
import type { KnownTypes } from '../served-types.ts';
import { createStoreFormat } from './changes/store-format.ts';
import { type Database, type NamesRecord, openDatabase } from './database.ts';
import { isDuplicate, toStoreError } from './map-error.ts';

const majority = { readConcern: { level: 'majority' } } as const;

/** Reads the record of names; `undefined` in a database without one. Errors: bad_config, store_busy, store_failure. */
export const readNames = (url: string): Promise<string | undefined> =>
  withDatabase(url, 'readNames', findNames);

/**
 * Replaces the record of names unless another process has replaced it. Returns whether it did.
 *
 * Errors: bad_config for another format, or while a backup is being restored; store_busy, store_failure.
 */
export const replaceNames = (url: string, { former, names }: NamesChange): Promise<boolean> =>
  withDatabase(url, 'replaceNames', async (database) => {
    await createStoreFormat(database).check();
    if (former === undefined) return insertNames(database, names);
    const { matchedCount } = await database.store.updateOne(
      { _id: 'names', names: former },
      { $set: { names } },
    );
    return matchedCount === 1;
  });

/** Reads the types last served, or else the class names of the stored assets. Errors: bad_config, store_busy, store_failure. */
export const readTypes = (url: string): Promise<KnownTypes> =>
  withDatabase(url, 'readTypes', async ({ serving, assets }) => {
    const last = await serving.findOne({ started: { $exists: true } }, { sort: { started: -1 } });
    if (last?.types) return { served: last.types, populated: [] };
    const classes: string[] = await assets.distinct('_type');
    return { populated: classes.sort() };
  });

/** Reads the record of names in an open database. */
export async function findNames({ store }: Database): Promise<string | undefined> {
  const found = await store.findOne<NamesRecord>({ _id: 'names' }, majority);
  return found?.names;
}

/** Inserts the record of names unless there is one. Returns whether there was none. */
export async function insertNames({ store }: Database, names: string): Promise<boolean> {
  try {
    await store.insertOne({ _id: 'names', names });
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

async function withDatabase<Result>(
  url: string,
  operation: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  let database: Database | undefined;
  try {
    database = await openDatabase(url);
    return await work(database);
  } catch (error) {
    throw toStoreError(operation, error);
  } finally {
    await database?.close();
  }
}
