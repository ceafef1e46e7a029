/**
 * Checks the indexes, words and counts of a database, and repairs them. MongoDB itself checks its files and indexes.
 */

import { isDeepStrictEqual } from 'node:util';
import { transferFailed } from '../../../base/errors.ts';
import { silentLogger } from '../../../base/runtime.ts';
import type { Catalog, ContentType } from '../../../model/content-type.ts';
import type { CheckedPart, Findings } from '../../inspection/findings.ts';
import type { StoreInspection } from '../../store-adapter.ts';
import { createStoreFormat } from '../changes/store-format.ts';
import { isServed } from '../copy/load-database.ts';
import { type Database, openDatabase } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { own } from '../documents/document-path.ts';
import { getNested, isNestedObject } from '../documents/nested-names.ts';
import { dropIndex, listIndexes, neededIndexes } from '../indexes/stored-indexes.ts';
import { itemStart, parseTextField, toWordIndex } from '../indexes/word-index.ts';
import { toStoreError } from '../map-error.ts';
import { createMongoStore } from '../mongo-store.ts';

/** Connects to a database. Errors: bad_config, store_busy, store_failure. */
export async function createMongoInspection(url: string, catalog: Catalog): Promise<StoreInspection> {
  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw toStoreError('verify', error);
    }
  };
  const database = await run(() => openDatabase(url));

  async function check(findings: Findings, onPart: (part: CheckedPart) => void): Promise<void> {
    await createStoreFormat(database).check();
    onPart('indexes');
    await checkIndexes(database, { catalog, findings });
    onPart('words');
    for await (const { _id, _type } of findWrongWords(database, catalog)) {
      findings.fault('words', `the words of ${_type} are not those of the asset`, { id: _id });
    }
    onPart('totals');
    await checkCounts(database, findings);
  }

  async function repair(): Promise<void> {
    await createStoreFormat(database).check();
    if (await isServed(database)) {
      throw transferFailed(
        'The database is in use. Stop every server, then try again; if one was killed, wait a minute',
      );
    }
    for (const name of (await listIndexes(database)).keys()) await dropIndex(database, name, silentLogger);
    for await (const document of findWrongWords(database, catalog)) await setWords(database, document);
    await setCounts(database);
    const store = await createMongoStore({ url, catalog, logger: silentLogger });
    try {
      await store.prepare();
    } finally {
      await store.close();
    }
  }

  return {
    findFault: async () => undefined,
    check: (findings, onPart) => run(() => check(findings, onPart)),
    repair: () => run(repair),
    close: () => database.close(),
  };
}

async function checkIndexes(
  database: Database,
  { catalog, findings }: { catalog: Catalog; findings: Findings },
): Promise<void> {
  const existing = await listIndexes(database);
  const promised = await readPromised(database);
  for (const { name, type, field, unique } of neededIndexes(catalog).values()) {
    const found = existing.get(name);
    if (found === undefined && promised.has(name)) {
      findings.fault('indexes', `the index of ${type} ${field} is gone`);
    } else if (found === undefined) {
      findings.notice('indexes', `${type} ${field} has no index until a server is started`);
    } else if (unique && !found.unique) {
      findings.fault('indexes', `the index of ${type} ${field} does not keep it unique`);
    }
  }
}

/** Reads the indexes that the server which was started last has created. */
async function readPromised({ serving }: Database): Promise<ReadonlySet<string>> {
  const last = await serving.findOne({ started: { $exists: true } }, { sort: { started: -1 } });
  return new Set(last?.indexes ?? []);
}

/** The numbered entries of the log by type, as they are and as their types count them. */
async function readCounts({ changes, types }: Database) {
  const entries = await changes
    .aggregate<{ _id: string; n: number }>([
      { $match: { seq: { $gt: 0 }, action: { $ne: 'signIn' } } },
      { $group: { _id: '$type', n: { $sum: 1 } } },
    ])
    .toArray();
  const records = await types.find({}).toArray();
  const counted = new Map(records.map(({ _id, changes: n = 0 }) => [_id, n]));
  return entries.map(({ _id: type, n }) => ({ type, entries: n, counted: counted.get(type) ?? 0 }));
}

/** Entries that were trimmed or erased still count, so only a count that is too small is wrong. */
async function checkCounts(database: Database, findings: Findings): Promise<void> {
  for (const { type } of await findShortCounts(database)) {
    findings.fault('totals', `the count of changes of ${type} is less than there are`);
  }
}

async function findShortCounts(database: Database) {
  const suspects = (await readCounts(database)).filter(({ entries, counted }) => counted < entries);
  if (suspects.length === 0) return [];
  // The numbering may have gone on between the two readings.
  return (await readCounts(database)).filter(
    ({ type, entries, counted }) => counted < entries && suspects.some((suspect) => suspect.type === type),
  );
}

async function setCounts(database: Database): Promise<void> {
  for (const { type, entries } of await findShortCounts(database)) {
    await database.types.updateOne({ _id: type }, { $set: { changes: entries } }, { upsert: true });
  }
}

// Finds the assets whose stored words are not those of their texts.
//
// Only the words that the record of a type lists as complete are compared, and as sets: a process that does not know that a field
// is searchable stores the same words in another form. An asset that seems wrong is read again, because it may just have changed.

type WrongWords = AssetDocument & { readonly type: ContentType };

async function* findWrongWords(
  { assets, types }: Pick<Database, 'assets' | 'types'>,
  catalog: Catalog,
): AsyncGenerator<WrongWords> {
  const records = await types.find({ texts: { $exists: true } }).toArray();
  for (const { _id, texts = [] } of records) {
    const type = catalog.types.get(_id);
    const members = [...new Set(texts.map((text) => parseTextField(text).member))];
    const known = members.filter((name) => type?.fields.has(name));
    if (!type || known.length === 0) continue;
    for await (const document of assets.find({ _type: _id }, { batchSize: 500 })) {
      if (areRight(document, { type, known })) continue;
      const again = await assets.findOne({ _id: document._id });
      if (again && again._type === _id && !areRight(again, { type, known })) yield { ...again, type };
    }
  }
}

/** Replaces the words of an asset, unless it has changed meanwhile. */
async function setWords(
  { assets }: Pick<Database, 'assets'>,
  { type, ...document }: WrongWords,
): Promise<void> {
  const { asset, version } = fromDocument(document);
  const entries = toWordIndex(asset, type.fields);
  await assets.updateOne({ _id: document._id, [own.version]: version }, { $set: { [own.index]: entries } });
}

function areRight(
  document: AssetDocument,
  { type, known }: { type: ContentType; known: readonly string[] },
): boolean {
  const expected = toWordIndex(fromDocument(document).asset, type.fields);
  return known.every((name) => {
    const { index } = document._colophon;
    const stored = isNestedObject(index) ? getNested(index, name) : undefined;
    return isDeepStrictEqual(wordsIn(stored), wordsIn(getNested(expected, name)));
  });
}

/** Returns all words in a nested value, each once, in order. */
function wordsIn(value: unknown): string[] {
  const words = new Set<string>();
  const add = (one: unknown): void => {
    if (typeof one === 'string') {
      // A listed word stands alone, and the words of a string between blanks.
      for (const word of one.replace(itemStart, '').trim().split(' ')) words.add(word);
    } else if (Array.isArray(one)) one.forEach(add);
    else if (isNestedObject(one)) Object.values(one).forEach(add);
  };
  add(value);
  return [...words].sort();
}
