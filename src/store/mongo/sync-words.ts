/**
 * Makes the words of stored assets anew when a content type has other texts than when they were written.
 *
 * The type's record keeps the fingerprint of its words, and gets the new one last: a process that ends half way leaves the
 * work to the next. An asset that is written meanwhile is left to its writer.
 */
import type { Logger } from '../../base/runtime.ts';
import type { Catalog, ContentType } from '../../model/content-type.ts';
import type { Database } from './database.ts';
import { type AssetDocument, fromDocument } from './document.ts';
import { fingerprintWords, toWordIndex } from './word-index.ts';

const batchSize = 500;

/** Brings the words of all assets up to the catalog, and logs each type that needed it. */
export async function syncWords({
  database,
  catalog,
  logger,
}: {
  database: Database;
  catalog: Catalog;
  logger: Logger;
}): Promise<void> {
  const records = await database.types.find({}).toArray();
  const known = new Map(records.map(({ _id, words }) => [_id, words]));
  for (const type of catalog.types.values()) {
    const words = fingerprintWords(type);
    if (known.get(type.class) === words) continue;
    const startMs = performance.now();
    const assets = await rewriteWords(database, type);
    await database.types.updateOne({ _id: type.class }, { $set: { words } });
    const ms = Math.round(performance.now() - startMs);
    if (assets > 0) logger.info({ type: type.class, assets, ms }, 'Words made anew');
  }
}

async function rewriteWords({ assets }: Database, type: ContentType): Promise<number> {
  let count = 0;
  let batch: AssetDocument[] = [];
  const write = async () => {
    if (batch.length > 0) await assets.bulkWrite(batch.map((document) => toRewrite(document, type)));
    count += batch.length;
    batch = [];
  };
  for await (const document of assets.find({ _type: type.class }, { sort: { _id: 1 }, batchSize })) {
    if (batch.push(document) === batchSize) await write();
  }
  await write();
  return count;
}

function toRewrite(document: AssetDocument, { fields }: ContentType) {
  const { _id, _version } = document;
  const { asset } = fromDocument(document);
  return {
    updateOne: { filter: { _id, _version }, update: { $set: { _words: toWordIndex(asset, fields) } } },
  };
}
