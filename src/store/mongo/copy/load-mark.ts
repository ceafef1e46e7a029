/**
 * The mark of a database that is being filled, and the check that no process serves it.
 *
 * A process that starts reads the mark after it has written its own record, and a load reads those records after it has set the
 * mark: so one of the two notices the other.
 */
import { randomUUID } from 'node:crypto';
import { transferFailed } from '../../../base/errors.ts';
import { defaultTiming } from '../../served-types.ts';
import type { Database, LoadRecord } from '../database.ts';
import { isDuplicate } from '../map-error.ts';

/** The mark, as one load sees it. */
export interface LoadMark {
  /** Sets the mark. Errors: transfer_failed when the database is in use, or has a store that may not be replaced. */
  set(): Promise<void>;
  /** Shows that the load goes on. Errors: transfer_failed when another load has begun. */
  renew(): Promise<void>;
  remove(): Promise<void>;
  /** Leaves the mark to the next load, which need not wait. */
  leave(): Promise<void>;
}

const renewMs = 2_000;
const seenNow = { $currentDate: { seen: true } } as const;

/** How long another load may be silent before it counts as interrupted. */
const interruptedMs = 20_000;

/** Creates it. */
export function createLoadMark(database: Database, { isReplacing }: { isReplacing: boolean }): LoadMark {
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
    async set() {
      if (!(await takeOver())) await setNew();
    },
    async renew() {
      if (performance.now() - renewedMs < renewMs) return;
      const { matchedCount } = await store.updateOne({ _id: 'loading', load }, seenNow);
      if (matchedCount === 0) throw transferFailed('another command has begun to restore a backup here');
      renewedMs = performance.now();
    },
    async remove() {
      await store.deleteOne({ _id: 'loading', load });
    },
    async leave() {
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
export async function clearDatabase({ assets, changes, types, serving, store }: Database): Promise<void> {
  await assets.deleteMany({});
  await changes.deleteMany({});
  await types.deleteMany({});
  await serving.deleteMany({});
  await store.deleteMany({ _id: { $ne: 'loading' } });
}
