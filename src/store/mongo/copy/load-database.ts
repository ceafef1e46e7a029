/**
 * Fills an empty database with a copy of a store.
 *
 * A document in the collection `store` marks a database that is being filled: no process opens such a database or writes to it. It
 * is removed at the end, so an interrupted load leaves it behind, and the next load begins again. Assets are encoded by the types
 * of a catalog; what no type describes is encoded by its form.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../base/runtime.ts';
import type { Asset, Catalog } from '../../../model/content-type.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../copy/store-copy.ts';
import type { StoreLoader } from '../../copy/store-loader.ts';
import type { LoadOptions } from '../../store-adapter.ts';
import { type ChangeDocument, toChangeId } from '../changes/change-document.ts';
import { createLogIndexes, knownFormat } from '../changes/store-format.ts';
import { type Database, openDatabase } from '../database.ts';
import { toCopiedDocument } from '../documents/copied-document.ts';
import { describeTextField, textFieldsOf } from '../indexes/text-fields.ts';
import { toStoreError } from '../map-error.ts';
import { insertNames } from '../store-records.ts';
import { insertsAtOnce } from '../writes/time-limits.ts';
import { clearDatabase, createLoadMark } from './load-mark.ts';

/** Starts a load. Errors: transfer_failed when there is a store already, or one that is in use; bad_config, store_busy, store_failure. */
export async function createMongoLoader({
  url,
  isReplacing,
  catalog,
}: LoadOptions & { url: string }): Promise<StoreLoader> {
  let database: Database | undefined;
  try {
    database = await openDatabase(url);
    return await startLoad(database, { isReplacing, catalog });
  } catch (error) {
    await database?.close();
    throw toStoreError('load', error);
  }
}

async function startLoad(database: Database, { isReplacing, catalog }: LoadOptions): Promise<StoreLoader> {
  const mark = createLoadMark(database, { isReplacing });
  await mark.set();
  await clearDatabase(database);
  const keepsLog = database.transactions;
  const counts = new Map<string, number>();
  const run = async (work: () => Promise<unknown>) => {
    try {
      await mark.renew();
      await work();
    } catch (error) {
      throw toStoreError('load', error);
    }
  };
  return {
    keepsLog,
    loadAssets: (assets: readonly CopiedAsset[]) =>
      run(async () => {
        const documents = assets.map((asset) => toDocument(asset, { catalog, keepsLog }));
        for (const part of partsOf(documents)) await database.assets.insertMany(part, unordered);
      }),
    loadEntries: (entries: readonly CopiedEntry[]) =>
      run(async () => {
        for (const { type } of entries) counts.set(type, (counts.get(type) ?? 0) + 1);
        for (const part of partsOf(entries.map(toChange))) await database.changes.insertMany(part, unordered);
      }),
    finish: (facts: CopiedFacts) =>
      run(async () => {
        await recordTypes(database, { catalog, counts });
        await recordFacts(database, facts);
        await mark.remove();
      }),
    async close() {
      // Without effect when it was removed.
      await mark.leave().catch(() => undefined);
      await database.close();
    },
  };
}

const unordered = { ordered: false } as const;

function* partsOf<One>(all: readonly One[]): Generator<One[]> {
  for (let from = 0; from < all.length; from += insertsAtOnce) yield all.slice(from, from + insertsAtOnce);
}

function toDocument(
  { text, version, number, shape, type }: CopiedAsset,
  { catalog, keepsLog }: { catalog: Catalog; keepsLog: boolean },
) {
  // Safe: the text of a copied asset is that of an asset.
  const asset = JSON.parse(text) as Asset;
  const document = toCopiedDocument({ asset, version }, catalog.types.get(type));
  const _colophon = {
    ...document._colophon,
    ...(shape !== undefined && { shape }),
    ...(keepsLog && number > 0 && { change: number }),
  };
  return { ...document, _colophon };
}

function toChange({ asset, number, atMs, previousVersion, before, ...entry }: CopiedEntry): ChangeDocument {
  return {
    ...entry,
    _id: toChangeId(asset, number),
    at: atMs,
    ...(previousVersion !== undefined && { previous: previousVersion }),
    ...(before && { before: JSON.stringify(before) }),
    ...(entry.version === undefined && { gone: asset }),
  };
}

/** Records whose words are stored: those of all texts that the catalog knows. */
async function recordTypes(
  { types }: Database,
  { catalog, counts }: { catalog: Catalog; counts: ReadonlyMap<string, number> },
): Promise<void> {
  for (const name of new Set([...catalog.types.keys(), ...counts.keys()])) {
    const type = catalog.types.get(name);
    const texts = type ? textFieldsOf(type).map(describeTextField) : [];
    const record = { texts, changes: counts.get(name) ?? 0 };
    await types.updateOne({ _id: name }, { $set: record }, { upsert: true });
  }
}

async function recordFacts(
  database: Database,
  { seq, loggedSinceMs = systemClock.nowMs(), served, names }: CopiedFacts,
): Promise<void> {
  const { store, serving, transactions } = database;
  if (served) {
    const seen = new Date(0);
    await serving.insertOne({ _id: 'restored', started: 1, stopped: true, seen, types: served });
  }
  if (names !== undefined) await insertNames(database, names);
  const log = transactions
    ? { last: seq, sinceMs: loggedSinceMs }
    : { last: 0, sinceMs: systemClock.nowMs() };
  await createLogIndexes(database);
  await store.insertOne({ _id: 'numbering', last: log.last, fence: 0, seen: new Date(0) });
  const format = { format: knownFormat, epoch: randomUUID(), loggedSinceMs: log.sinceMs };
  await store.insertOne({ _id: 'format', ...format });
}
