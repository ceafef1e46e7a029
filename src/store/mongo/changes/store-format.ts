/**
 * The format of the database and the epoch of its change log, in one document of the collection `store`.
 *
 * The first write, `prepare` or `serve` creates the document and the indexes of the log. A database of another format is refused, and so
 * is one that has assets and no format. A process that finds another format while it runs stops writing.
 */
import { randomUUID } from 'node:crypto';
import { badConfig, storeBusy } from '../../../base/errors.ts';
import { interruptedLoad } from '../../copy/store-loader.ts';
import type { Database, FormatRecord } from '../database.ts';

/** The format that this version of Colophon writes. */
export const knownFormat = 4;

/** Knows the format of an open database. */
export type StoreFormat = ReturnType<typeof createStoreFormat>;

/** Creates it over an open database. */
export function createStoreFormat(database: Database) {
  const { store } = database;
  let refusal: string | undefined;
  let ensuring: Promise<void> | undefined;

  async function check(): Promise<FormatRecord | undefined> {
    const records = await store.find({ _id: { $in: ['format', 'loading'] } }).toArray();
    // Safe: this `_id` is that of the format.
    const found = records.find(({ _id }) => _id === 'format') as FormatRecord | undefined;
    const isLoading = records.some(({ _id }) => _id === 'loading');
    const isKnown = found ? found.format === knownFormat : !(await hasAssets());
    if (!isLoading && isKnown) return found;
    refusal = isLoading ? describeLoading : describeOther(found?.format);
    throw badConfig([{ path: 'The MongoDB database', message: refusal }]);
  }

  const hasAssets = async () => (await database.assets.findOne({}, { projection: { _id: 1 } })) !== null;

  async function create(): Promise<void> {
    if (await check()) return;
    await createLogIndexes(database);
    const numbering = { last: 0, fence: 0, seen: new Date(0) };
    await store.updateOne({ _id: 'numbering' }, { $setOnInsert: numbering }, { upsert: true });
    const format = { format: knownFormat, epoch: randomUUID(), loggedSinceMs: 0 };
    // Created last, because a process that finds this document assumes that the others exist.
    await store.updateOne({ _id: 'format' }, { $setOnInsert: format }, { upsert: true });
  }

  return {
    /** Reads the format. Errors: bad_config when it is another one, or while a backup is being restored. */
    async check(): Promise<void> {
      await check();
    },
    /** Reads the number of the format; `undefined` in an empty database. Errors: those of `check`. */
    read: async (): Promise<number | undefined> => (await check())?.format,
    /** Creates what the log needs, at the first call. Errors: bad_config, the driver's. */
    ensure(): Promise<void> {
      ensuring ??= create().catch((error: unknown) => {
        ensuring = undefined;
        throw error;
      });
      return ensuring;
    },
    /** Errors: store_busy, after `check` has refused the database. */
    assertKnown() {
      if (refusal !== undefined) throw storeBusy(`the MongoDB database ${refusal}`);
    },
    get isKnown() {
      return refusal === undefined;
    },
  };
}

const describeLoading = `cannot be used: ${interruptedLoad}`;

const describeOther = (found: number | undefined) =>
  `has ${found === undefined ? 'assets and no format' : `format ${found}`}, and this version of Colophon uses format ${knownFormat} alone: another version or program wrote it`;

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
