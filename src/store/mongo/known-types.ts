/**
 * Reads the content types of a database before it is opened, for a process that was given no types.
 */
import type { KnownTypes } from '../served-types.ts';
import { type Database, openDatabase } from './database.ts';
import { toStoreError } from './map-error.ts';

/** Reads the types last served, or else the class names of the stored assets. Errors: bad_config, store_busy, store_failure. */
export async function readMongoTypes(url: string): Promise<KnownTypes> {
  let database: Database | undefined;
  try {
    database = await openDatabase(url);
    const { serving, assets } = database;
    const last = await serving.findOne({ started: { $exists: true } }, { sort: { started: -1 } });
    if (last?.types) return { served: last.types, populated: [] };
    const classes: string[] = await assets.distinct('_type');
    return { populated: classes.sort() };
  } catch (error) {
    throw toStoreError('readKnownTypes', error);
  } finally {
    await database?.close();
  }
}
