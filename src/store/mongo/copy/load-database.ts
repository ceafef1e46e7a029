/**
 * Fills an empty database with a copy of a store.
 *
 * A document in the collection `store` marks a database that is being filled: no process opens such a database or writes to it. It
 * is removed at the end, so an interrupted load leaves it behind, and the next load begins again. Assets are encoded by the types
 * of a catalog; what no type describes is encoded by its form.
 */

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { transferFailed } from '../../../base/errors.ts';
import { systemClock } from '../../../base/runtime.ts';
import {
  type Asset,
  type Catalog,
  type ContentType,
  type Field,
  type Json,
  kindOf,
} from '../../../model/content-type.ts';
import { isAnyJson } from '../../../model/values/scalars.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from '../../copy/store-copy.ts';
import type { StoreLoader } from '../../copy/store-loader.ts';
import type { StoredAsset } from '../../port.ts';
import { defaultTiming } from '../../served-types.ts';
import type { LoadOptions } from '../../store-adapter.ts';
import { type ChangeDocument, toChangeId } from '../changes/change-document.ts';
import { createLogIndexes, knownFormat } from '../changes/store-format.ts';
import { type Database, type LoadRecord, openDatabase } from '../database.ts';
import { type AssetDocument, encodeField, fromDocument } from '../documents/document.ts';
import { depthOf, type NestedObject, setNested } from '../documents/nested-names.ts';
import { describeTextField, textFieldsOf, toWordIndex } from '../indexes/word-index.ts';
import { isDuplicate, toStoreError } from '../map-error.ts';
import { insertNames } from '../store-records.ts';
import { insertsAtOnce } from '../writes/transaction.ts';

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

// Converts a copied asset to a document, by its type where that is known.
//
// A member that its type does not have, or whose value does not fit the field, is encoded by its form: as a nested value if MongoDB
// can store it so, else as JSON text. Reading needs no type, so each is read as it was.

/** Converts it. The document has no shape and no number of an entry. */
function toCopiedDocument({ asset, version }: StoredAsset, type: ContentType | undefined): AssetDocument {
  const { _id, _type, ...members } = asset;
  const fields: ReadonlyMap<string, Field> = type?.fields ?? new Map();
  const nested: NestedObject = {};
  for (const [name, value] of Object.entries(members))
    setNested(nested, name, encode(value, fields.get(name)));
  const _colophon = { version, names: Object.keys(asset), index: toWordIndex(asset, fields) };
  const document = { _id, _type, _colophon, ...nested };
  const isDescribed = Object.keys(members).every((name) => fields.has(name));
  if (!isDescribed && !isDeepStrictEqual(fromDocument(document).asset, asset)) throw cannotStore(_id);
  return document;
}

const cannotStore = (id: string) =>
  transferFailed(`MongoDB cannot store the asset ${id}: its type does not describe all its members`);

function encode(value: Json, field: Field | undefined): unknown {
  return field && isKnown(value, field) ? encodeField(value, field) : encodeByForm(value);
}

/** Whether the field describes every object in its value. */
function isKnown(value: Json, { type, list }: Pick<Field, 'type' | 'list'>): boolean {
  if (type.kind === 'scalar' && isAnyJson(type.scalar)) return true;
  if (Array.isArray(value)) return list && value.every((item) => isKnown(item, { type, list: false }));
  if (!isJsonObject(value)) return true;
  if (type.kind !== 'embedded') return type.kind === 'reference' && hasPlainNames(value);
  const kind = kindOf(type.type, value);
  return Object.entries(value).every(([name, member]) => {
    if (name === '_type' && type.type.kinds) return kind !== undefined;
    const field = kind?.fields.get(name);
    return field !== undefined && isKnown(member, field);
  });
}

const maxDepth = 50;

function encodeByForm(value: Json): unknown {
  const isPlain = depthOf(value) <= maxDepth && hasPlainNames(value);
  return isPlain ? value : { _colophon: JSON.stringify(value) };
}

/** Whether MongoDB stores all names as they are, and none has a meaning in documents. */
function hasPlainNames(value: Json): boolean {
  if (Array.isArray(value)) return value.every(hasPlainNames);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(
    ([name, member]) => !/[.$\0]|^_colophon$|^__proto__$|^$/.test(name) && hasPlainNames(member),
  );
}

// The mark of a database that is being filled, and the check that no process serves it.
//
// A process that starts reads the mark after it has written its own record, and a load reads those records after it has set the
// mark: so one of the two notices the other.

const renewMs = 2_000;
const seenNow = { $currentDate: { seen: true } } as const;

/** How long another load may be silent before it counts as interrupted. */
const interruptedMs = 20_000;

/** The mark, as one load sees it. */
function createLoadMark(database: Database, { isReplacing }: { isReplacing: boolean }) {
  const { store, assets, changes } = database;
  const load = randomUUID();
  let renewedMs = 0;

  /** Takes over the mark of an interrupted load. Returns whether there was one. */
  async function takeOver(): Promise<boolean> {
    const former = await store.findOne<LoadRecord>({ _id: 'loading' });
    if (!former) return false;
    const now = await database.readClock();
    if (isRecent({ seen: former.seen, now, forMs: interruptedMs })) {
      throw transferFailed(
        `another command is restoring a backup here; if it was killed, try again in ${interruptedMs / 1000} seconds`,
      );
    }
    const own = { $set: { load }, ...seenNow };
    const { matchedCount } = await store.updateOne({ _id: 'loading', load: former.load }, own);
    if (matchedCount === 0) throw transferFailed('another command is restoring a backup here');
    return true;
  }

  const hasContent = async () =>
    (await assets.findOne({}, { projection: { _id: 1 } })) !== null ||
    (await changes.findOne({}, { projection: { _id: 1 } })) !== null;

  async function assertFree(): Promise<void> {
    if (await isServed(database)) {
      throw transferFailed(
        'The database is in use: a server has reported to it within the last minute. Stop every server, then try again; if one was killed, wait a minute',
      );
    }
    if (!isReplacing && (await hasContent())) {
      throw transferFailed(
        'The database has a store already. With --replace, it is emptied first; or name another database in COLOPHON_MONGODB_URL',
      );
    }
  }

  async function setNew(): Promise<void> {
    try {
      await store.insertOne({ _id: 'loading', load, seen: await database.readClock() });
    } catch (error) {
      throw isDuplicate(error) ? transferFailed('another command is restoring a backup here') : error;
    }
    try {
      await assertFree();
    } catch (error) {
      await store.deleteOne({ _id: 'loading', load });
      throw error;
    }
  }

  return {
    /** Sets the mark. Errors: transfer_failed when the database is in use, or has a store that may not be replaced. */
    async set(): Promise<void> {
      if (!(await takeOver())) await setNew();
    },
    /** Shows that the load goes on. Errors: transfer_failed when another load has begun. */
    async renew(): Promise<void> {
      if (performance.now() - renewedMs < renewMs) return;
      const { matchedCount } = await store.updateOne({ _id: 'loading', load }, seenNow);
      if (matchedCount === 0) throw transferFailed('another command has begun to restore a backup here');
      renewedMs = performance.now();
    },
    async remove(): Promise<void> {
      await store.deleteOne({ _id: 'loading', load });
    },
    /** Leaves the mark to the next load, which need not wait. */
    async leave(): Promise<void> {
      await store.updateOne({ _id: 'loading', load }, { $set: { seen: new Date(0) } });
    },
  };
}

/** Whether a process has reported lately that it serves the database. */
export async function isServed(database: Database): Promise<boolean> {
  const now = await database.readClock();
  const running = { stopped: { $ne: true } } as const;
  const records = await database.serving.find(running, { projection: { seen: 1 } }).toArray();
  return records.some(({ seen }) => isRecent({ seen, now, forMs: defaultTiming.expiryMs }));
}

const isRecent = ({ seen, now, forMs }: { seen: Date | undefined; now: Date; forMs: number }) =>
  seen !== undefined && seen.getTime() > now.getTime() - forMs;

/** Removes everything but the mark. Collections and their indexes stay, so a sharded one stays sharded. */
async function clearDatabase({ assets, changes, types, serving, store }: Database): Promise<void> {
  await assets.deleteMany({});
  await changes.deleteMany({});
  await types.deleteMany({});
  await serving.deleteMany({});
  await store.deleteMany({ _id: { $ne: 'loading' } });
}
