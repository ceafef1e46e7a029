/**
 * The indexes that the collection has for `@indexed`: listing, making and dropping them.
 *
 * An index takes as long to make as the collection is large; MongoDB goes on serving meanwhile.
 */
import { badConfig } from '../../../base/errors.ts';
import type { Logger } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { Database } from '../database.ts';
import { isCollectionGone, isDuplicate, isIndexGone, isIndexImpossible } from '../map-error.ts';
import { type FieldIndex, isFieldIndex, toFieldIndexes } from './field-indexes.ts';

/** The indexes that the types of a catalog need, by name; of types that share one, the first stands for it. */
export function neededIndexes(catalog: Catalog): Map<string, FieldIndex> {
  const indexes = [...catalog.types.values()].flatMap(toFieldIndexes);
  return new Map(indexes.toReversed().map((index) => [index.name, index]));
}

/** The names of the indexes there are for fields. */
export async function listIndexNames({ assets }: Database): Promise<ReadonlySet<string>> {
  try {
    const indexes = await assets.listIndexes().toArray();
    return new Set(indexes.map(({ name }) => String(name)).filter(isFieldIndex));
  } catch (error) {
    if (isCollectionGone(error)) return new Set();
    throw error;
  }
}

/** Makes those that are missing, and logs each. Errors: bad_config when values of a unique field repeat, or when MongoDB cannot keep an index. */
export async function makeIndexes(
  database: Database,
  { needed, logger }: { needed: ReadonlyMap<string, FieldIndex>; logger: Logger },
): Promise<void> {
  const known = await listIndexNames(database);
  await database.assets.createIndex({ _type: 1, _id: 1 }, { name: 'type' });
  for (const index of needed.values()) {
    if (known.has(index.name)) continue;
    const { name, type, field } = index;
    const ms = await measure(() => makeIndex(database, index));
    logger.info({ index: name, type, field, ms }, 'Index made');
  }
}

/** Drops an index unless it is gone, and logs it. */
export async function dropIndex({ assets }: Database, name: string, logger: Logger): Promise<void> {
  try {
    const ms = await measure(() => assets.dropIndex(name));
    logger.info({ index: name, ms }, 'Index dropped');
  } catch (error) {
    if (!isIndexGone(error)) throw error;
  }
}

async function makeIndex(database: Database, index: FieldIndex): Promise<void> {
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

async function describeRepeats({ assets }: Database, { path, type }: FieldIndex): Promise<string> {
  const [found] = await assets
    .aggregate([
      { $match: { _type: type, [path]: { $exists: true } } },
      { $group: { _id: `$${path}`, n: { $sum: 1 } } },
      { $match: { n: { $gt: 1 } } },
      { $limit: 1 },
    ])
    .toArray();
  return `cannot become unique: ${found?.n} assets have ${JSON.stringify(found?._id)}`;
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
