/**
 * Fills the members of keys with a condition, whose unique indexes exist already: before that, all processes that write know the keys and
 * derive the members, so an asset that changes meanwhile has its member.
 *
 * The record of a type names the indexes that have the values of all assets. A process that ends half way leaves the rest to the next.
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import { badConfig } from '../../../base/errors.ts';
import type { Logger } from '../../../base/runtime.ts';
import { repeatedValues, shownHolders } from '../../repeated-values.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { own, withoutIndex } from '../documents/document-path.ts';
import { getNested } from '../documents/nested-names.ts';
import { failedWrites, isDuplicate } from '../map-error.ts';
import type { FieldIndex } from './field-indexes.ts';
import { type KeyAmong, keyOfIndex } from './unique-values.ts';

const batchSize = 500;

/** Removes what documents have of a key whose index will be created: it is that of an index which was dropped. */
export async function beginFilling(
  { assets, types }: Database,
  { name, type, paths }: FieldIndex,
): Promise<void> {
  await types.updateOne({ _id: type }, { $pull: { filled: name } });
  for (const path of paths)
    await assets.updateMany({ _type: type, [path]: { $exists: true } }, { $unset: { [path]: true } });
}

/** Finds the indexes of keys with a condition that do not have the values of all assets. */
export async function findUnfilled(
  { types }: Database,
  needed: Iterable<FieldIndex>,
): Promise<readonly FieldIndex[]> {
  const among = [...needed].filter(({ isAmong }) => isAmong);
  if (among.length === 0) return [];
  const records = await types.find({ filled: { $exists: true } }).toArray();
  const filled = new Set(records.flatMap((record) => record.filled ?? []));
  return among.filter(({ name }) => !filled.has(name));
}

/** Fills the members of keys. Errors: bad_config when values repeat; the index is dropped then. */
export async function fillKeys(
  database: Database,
  { unfilled, logger }: { unfilled: readonly FieldIndex[]; logger: Logger },
): Promise<void> {
  for (const index of unfilled) {
    const { name, type, field } = index;
    const key = keyOfIndex(index);
    if (!isAmong(key)) continue;
    const startMs = performance.now();
    const repeated = await fill(database, type, key);
    if (repeated !== undefined) {
      const message = await describeHolders(database, { type, key, text: repeated });
      await database.assets.dropIndex(name);
      throw badConfig([{ path: `${type} ${field}`, message }]);
    }
    await database.types.updateOne({ _id: type }, { $addToSet: { filled: name } }, { upsert: true });
    logger.info({ type, field, ms: Math.round(performance.now() - startMs) }, 'Key filled');
  }
}

const isAmong = (key: ReturnType<typeof keyOfIndex>): key is KeyAmong => key.among !== undefined;

/** Fills the member of a key in all assets of a type; returns the text that two of them have. */
async function fill({ assets }: Database, type: string, key: KeyAmong): Promise<string | undefined> {
  let batch: AssetDocument[] = [];
  const cursor = assets.find({ _type: type }, { sort: { _id: 1 }, batchSize, projection: withoutIndex });
  for await (const document of cursor) {
    if (batch.push(document) < batchSize) continue;
    const repeated = await fillBatch({ assets }, key, batch);
    if (repeated !== undefined) return repeated;
    batch = [];
  }
  return fillBatch({ assets }, key, batch);
}

async function fillBatch(
  { assets }: Pick<Database, 'assets'>,
  key: KeyAmong,
  documents: readonly AssetDocument[],
): Promise<string | undefined> {
  let batch = documents;
  while (batch.length > 0) {
    const updates = batch.flatMap((document) => toUpdate(document, key) ?? []);
    if (updates.length === 0) return undefined;
    try {
      const operations = updates.map(({ operation }) => operation);
      const { matchedCount } = await assets.bulkWrite(operations, { ordered: true });
      if (matchedCount === updates.length) return undefined;
    } catch (error) {
      const [[index = 0, reason = error] = []] = failedWrites(error);
      if (!isDuplicate(reason)) throw error;
      return updates[index]?.text;
    }
    // Some assets have changed meanwhile.
    const ids = batch.map(({ _id }) => _id);
    batch = await assets.find({ _id: { $in: ids } }, { projection: withoutIndex }).toArray();
  }
  return undefined;
}

/** Returns the update of a document whose member is not that of its asset. */
function toUpdate(document: AssetDocument, { path, among }: KeyAmong) {
  const { asset, version } = fromDocument(document);
  const text = among.derive(asset);
  if (getNested(document, path) === text) return undefined;
  const update = text === undefined ? { $unset: { [path]: true as const } } : { $set: { [path]: text } };
  const operation: AnyBulkWriteOperation<AssetDocument> = {
    updateOne: { filter: { _id: document._id, [own.version]: version }, update },
  };
  return { text, operation };
}

/** Describes the assets that have the same values; those that were not reached have no member. */
async function describeHolders(
  { assets }: Database,
  { type, key, text }: { type: string; key: KeyAmong; text: string },
): Promise<string> {
  const ids: string[] = [];
  let count = 0;
  const cursor = assets.find({ _type: type }, { sort: { _id: 1 }, projection: withoutIndex });
  for await (const document of cursor) {
    if (key.among.derive(fromDocument(document).asset) !== text) continue;
    count += 1;
    if (ids.length < shownHolders) ids.push(document._id);
  }
  return repeatedValues({ count, value: key.among.write(text), ids });
}
