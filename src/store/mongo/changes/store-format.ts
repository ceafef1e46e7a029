/**
 * The format of the database and the epoch of its change log, in one document of the collection `store`.
 *
 * Format 1 is that of 0.1, which has no such document; its assets have neither a shape nor the number of an entry. The first
 * logged write, `prepare` or `serve` creates the document and the indexes of the log. A process that finds a newer format than it
 * knows stops writing, also when that happens while it runs.
 */
import { randomUUID } from 'node:crypto';
import { badConfig, storeBusy } from '../../../base/errors.ts';
import { systemClock } from '../../../base/runtime.ts';
import { interruptedLoad } from '../../copy/store-loader.ts';
import type { Database, FormatRecord } from '../database.ts';

/** The format that this version of Colophon writes. */
export const knownFormat = 2;

/** Knows the format of an open database. */
export interface StoreFormat {
  /** Reads the format. Errors: bad_config when it is newer than this process knows, or while a backup is being restored. */
  check(): Promise<void>;
  /** Reads the number of the format; `undefined` before `ensure`, and in a database of 0.1. Errors: those of `check`. */
  read(): Promise<number | undefined>;
  /** Creates what the log needs, at the first call. Errors: bad_config, the driver's. */
  ensure(): Promise<void>;
  /** Errors: store_busy, after `check` has refused the database. */
  assertKnown(): void;
  readonly isKnown: boolean;
}

/** Creates it over an open database. */
export function createStoreFormat(database: Database): StoreFormat {
  const { store } = database;
  let refusal: string | undefined;
  let ensuring: Promise<void> | undefined;

  async function check(): Promise<FormatRecord | undefined> {
    const records = await store.find({ _id: { $in: ['format', 'loading'] } }).toArray();
    // Safe: this `_id` is that of the format.
    const found = records.find(({ _id }) => _id === 'format') as FormatRecord | undefined;
    const isLoading = records.some(({ _id }) => _id === 'loading');
    if (!isLoading && (!found || found.format <= knownFormat)) return found;
    refusal = isLoading ? describeLoading : describeNewer(found?.format ?? knownFormat);
    throw badConfig([{ path: 'The MongoDB database', message: refusal }]);
  }

  async function create(): Promise<void> {
    if (await check()) return;
    await createLogIndexes(database);
    const hasAssets = (await database.assets.findOne({}, { projection: { _id: 1 } })) !== null;
    const numbering = { last: 0, fence: 0, seen: new Date(0) };
    await store.updateOne({ _id: 'numbering' }, { $setOnInsert: numbering }, { upsert: true });
    const loggedSinceMs = hasAssets ? systemClock.nowMs() : 0;
    const format = { format: knownFormat, epoch: randomUUID(), loggedSinceMs };
    // Created last, because a process that finds this document assumes that the others exist.
    await store.updateOne({ _id: 'format' }, { $setOnInsert: format }, { upsert: true });
  }

  return {
    async check() {
      await check();
    },
    read: async () => (await check())?.format,
    ensure() {
      ensuring ??= create().catch((error: unknown) => {
        ensuring = undefined;
        throw error;
      });
      return ensuring;
    },
    assertKnown() {
      if (refusal !== undefined) throw storeBusy(`the MongoDB database ${refusal}`);
    },
    get isKnown() {
      return refusal === undefined;
    },
  };
}

const describeLoading = `cannot be used: ${interruptedLoad}`;

const describeNewer = (format: number) =>
  `has format ${format}, which a newer version of Colophon has written; this one knows format ${knownFormat} and writes no more. Start the newer version`;

/** Creates the indexes of the log. */
export async function createLogIndexes({ changes }: Database): Promise<void> {
  const withField = (name: string) => ({ name, partialFilterExpression: { [name]: { $exists: true } } });
  await changes.createIndexes([
    { key: { seq: 1 }, unique: true, ...withField('seq') },
    { key: { pending: 1 }, ...withField('pending') },
    { key: { run: 1, seq: 1 }, ...withField('run') },
    { key: { gone: 1 }, ...withField('gone') },
    { key: { 'by.id': 1 }, name: 'user', partialFilterExpression: { 'by.kind': 'user' } },
  ]);
}
