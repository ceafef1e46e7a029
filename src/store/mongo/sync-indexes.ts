/**
 * Makes the collection keep exactly the indexes that `@indexed` asks for.
 *
 * What a type wants is written down in its record, so that a process which knows only some of the types leaves the others'
 * indexes alone. An index takes as long to make as the collection is large; MongoDB goes on serving meanwhile.
 */
import { badConfig } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { Database } from './database.ts';
import { type FieldIndex, isFieldIndex, toFieldIndexes } from './field-indexes.ts';
import { isDuplicate, isIndexGone, isIndexImpossible } from './map-error.ts';

/**
 * Drops what is no longer wanted, makes what is missing, and logs each.
 *
 * Errors: bad_config when values of a unique field repeat, or when MongoDB cannot keep an index.
 */
export async function syncIndexes({
  database,
  catalog,
  logger,
}: {
  database: Database;
  catalog: Catalog;
  logger: Logger;
}): Promise<void> {
  const indexes = [...catalog.types.values()].flatMap(toFieldIndexes);
  await recordWishes(database, catalog, indexes);
  await database.assets.createIndex({ _type: 1, _id: 1 }, { name: 'type' });
  const known = await listFieldIndexes(database);
  const foreign = await wishesOfOthers(database, catalog);
  // Of types that share an index, the first stands for it.
  const wanted = new Map(indexes.toReversed().map((index) => [index.name, index]));
  for (const name of known) {
    if (wanted.has(name) || foreign.has(name)) continue;
    const ms = await measure(() => dropIndex(database, name));
    logger.info({ index: name, ms }, 'Index dropped');
  }
  for (const index of wanted.values()) {
    if (known.has(index.name)) continue;
    const { name, type, field } = index;
    const ms = await measure(() => makeIndex(database, index));
    logger.info({ index: name, type, field, ms }, 'Index made');
  }
}

async function recordWishes(
  { types }: Database,
  catalog: Catalog,
  indexes: readonly FieldIndex[],
): Promise<void> {
  const writes = [...catalog.types.keys()].map((_id) => {
    const names = indexes.filter(({ type }) => type === _id).map(({ name }) => name);
    return { updateOne: { filter: { _id }, update: { $set: { indexes: names } }, upsert: true } };
  });
  try {
    await types.bulkWrite(writes, { ordered: false });
  } catch (error) {
    // Another process that opens at the same time has made the records; now they are there to be changed.
    if (!isDuplicate(error)) throw error;
    await types.bulkWrite(writes, { ordered: false });
  }
}

async function wishesOfOthers({ types }: Database, catalog: Catalog): Promise<ReadonlySet<string>> {
  const records = await types.find({ _id: { $nin: [...catalog.types.keys()] } }).toArray();
  return new Set(records.flatMap(({ indexes = [] }) => indexes));
}

async function listFieldIndexes({ assets }: Database): Promise<ReadonlySet<string>> {
  const indexes = await assets.listIndexes().toArray();
  return new Set(indexes.map(({ name }) => String(name)).filter(isFieldIndex));
}

async function dropIndex({ assets }: Database, name: string): Promise<void> {
  try {
    await assets.dropIndex(name);
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

async function measure(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return Math.round(performance.now() - startMs);
}
