/**
 * The record of names in a database: the member `names` in the records of types.
 */
import type { Catalog } from '../../model/content-type.ts';
import { namesOf, type RecordedNames, type StoredNames } from '../renames/recorded-names.ts';
import { readBackfillState } from './backfill/backfill-state.ts';
import { type Database, openDatabase } from './database.ts';
import { toStoreError } from './map-error.ts';

/** Adds the names of all types to the record. */
export const recordNames = (database: Database, { types }: Catalog): Promise<void> =>
  addNames(database, new Map([...types.values()].map((type) => [type.class, new Set(namesOf(type))])));

/** Adds names to the record. */
export async function addNames({ types }: Database, names: RecordedNames): Promise<void> {
  const updates = [...names].map(([className, paths]) => ({
    updateOne: {
      filter: { _id: className },
      update: { $addToSet: { names: { $each: [...paths] } } },
      upsert: true,
    },
  }));
  if (updates.length > 0) await types.bulkWrite(updates, { ordered: false });
}

/** Reads the record, and the state of the backfill. Errors: bad_config, store_busy, store_failure. */
export async function readRecordedNames(url: string): Promise<StoredNames> {
  let database: Database | undefined;
  try {
    database = await openDatabase(url);
    return await readStoredNames(database);
  } catch (error) {
    throw toStoreError('readRecordedNames', error);
  } finally {
    await database?.close();
  }
}

/** Reads the record, and the state of the backfill. */
export async function readStoredNames({ types, store }: Database): Promise<StoredNames> {
  // The state comes first: the names that a later state needs were recorded before it.
  const backfill = await readBackfillState(store);
  const records = await types.find({ names: { $exists: true } }).toArray();
  const names = new Map(records.map(({ _id, names = [] }) => [_id, new Set(names)]));
  return { names, ...(backfill && { backfill }) };
}
