/**
 * Checks the indexes, words and counts of a database, and repairs them. MongoDB itself checks its files and indexes.
 */
import { transferFailed } from '../../../base/errors.ts';
import { silentLogger } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { CheckedPart, Findings } from '../../inspection/findings.ts';
import type { StoreInspection } from '../../store-adapter.ts';
import { createStoreFormat } from '../changes/store-format.ts';
import { isServed } from '../copy/load-mark.ts';
import { type Database, openDatabase } from '../database.ts';
import { dropIndex, listIndexes, neededIndexes } from '../indexes/stored-indexes.ts';
import { toStoreError } from '../map-error.ts';
import { createMongoStore } from '../mongo-store.ts';
import { findWrongWords, setWords } from './wrong-words.ts';

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
