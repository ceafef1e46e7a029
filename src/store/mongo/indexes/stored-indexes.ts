/**
 * Lists, creates and drops the indexes behind `@indexed`.
 *
 * The larger the collection, the longer it takes to create an index; MongoDB serves requests meanwhile.
 */
import { badConfig } from '../../../base/errors.ts';
import type { Logger } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import { repeatedValues, shownHolders } from '../../repeated-values.ts';
import type { Database } from '../database.ts';
import { isCollectionGone, isDuplicate, isIndexGone, isIndexImpossible } from '../map-error.ts';
import { type FieldIndex, isFieldIndex, toFieldIndexes, toWordIndexes } from './field-indexes.ts';
import { beginFilling } from './fill-keys.ts';
import { keyOfIndex, readerOf, readWritten } from './unique-values.ts';

/** Returns the indexes that the types of a catalog need, by name; a shared index names the first of its types. */
export function neededIndexes(catalog: Catalog): Map<string, FieldIndex> {
  const indexes = [...catalog.types.values()].flatMap((type) => [
    ...toFieldIndexes(type),
    ...toWordIndexes(type),
  ]);
  return new Map(indexes.toReversed().map((index) => [index.name, index]));
}

/** Lists the names of the existing indexes for fields. */
export const listIndexNames = async (database: Database): Promise<ReadonlySet<string>> =>
  new Set((await listIndexes(database)).keys());

/** Lists the existing indexes for fields by name, and whether each keeps its values unique. */
export async function listIndexes({
  assets,
}: Database): Promise<ReadonlyMap<string, { readonly unique: boolean }>> {
  try {
    const indexes = await assets.listIndexes().toArray();
    const all = indexes.map(({ name, unique }) => [String(name), { unique: unique === true }] as const);
    return new Map(all.filter(([name]) => isFieldIndex(name)));
  } catch (error) {
    if (isCollectionGone(error)) return new Map();
    throw error;
  }
}

/** Creates the missing indexes and logs them in one entry. Errors: bad_config when a unique value is repeated, or MongoDB refuses an index. */
export async function createIndexes(
  database: Database,
  { needed, logger }: { needed: ReadonlyMap<string, FieldIndex>; logger: Logger },
): Promise<void> {
  const known = await listIndexNames(database);
  await database.assets.createIndex({ _type: 1, _id: 1 }, { name: 'type' });
  const missing = [...needed.values()].filter(({ name }) => !known.has(name));
  if (missing.length === 0) return;
  const ms = await measure(async () => {
    for (const index of missing) {
      if (index.isAmong) await beginFilling(database, index);
      await createIndex(database, index);
    }
  });
  logger.info({ indexes: missing.map(({ type, field }) => `${type} ${field}`), ms }, 'Indexes created');
}

/** Drops an index and logs it; does nothing when the index does not exist. */
export async function dropIndex({ assets }: Database, name: string, logger: Logger): Promise<void> {
  try {
    const ms = await measure(() => assets.dropIndex(name));
    logger.info({ index: name, ms }, 'Index dropped');
  } catch (error) {
    if (!isIndexGone(error)) throw error;
  }
}

async function createIndex(database: Database, index: FieldIndex): Promise<void> {
  const { name, key, type, field, unique, partialFilterExpression } = index;
  const options = unique && partialFilterExpression ? { unique, partialFilterExpression } : {};
  try {
    await database.assets.createIndex(key, { name, ...options });
  } catch (error) {
    const path = `${type} ${field}`;
    if (isDuplicate(error)) throw badConfig([{ path, message: await describeRepeats(database, index) }]);
    if (isIndexImpossible(error)) throw badConfig([{ path, message: describeLimits(index) }]);
    throw error;
  }
}

async function describeRepeats({ assets }: Database, index: FieldIndex): Promise<string> {
  const { paths, partialFilterExpression = {} } = index;
  const keyPaths = paths.map((path) => `$${path}`);
  const [found] = await assets
    .aggregate([
      { $match: partialFilterExpression },
      { $group: { _id: keyPaths, n: { $sum: 1 }, first: { $first: '$$ROOT' } } },
      { $match: { n: { $gt: 1 } } },
      { $limit: 1 },
    ])
    .toArray();
  const same = { ...partialFilterExpression, $expr: { $eq: [keyPaths, found?._id] } };
  const options = { projection: { _id: 1 }, sort: { _id: 1 }, limit: shownHolders } as const;
  const holders = await assets.find(same, options).toArray();
  const value = readWritten(keyOfIndex(index), readerOf(found?.first ?? {}));
  return repeatedValues({ count: Number(found?.n), value, ids: holders.map(({ _id }) => _id) });
}

const describeLimits = ({ unique }: FieldIndex) =>
  unique
    ? 'cannot be unique: that needs a collection that is not sharded, and no more than 64 indexes in it'
    : 'cannot be indexed: a collection has no more than 64 indexes';

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return Math.round(performance.now() - startMs);
}
