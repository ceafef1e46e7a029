/**
 * Numbers the change log in the background: one process at a time, which holds the lease.
 *
 * The holder looks for new entries at once when its own process has written. For those of other processes it looks every 50 ms
 * while there are any, and up to 200 ms apart while there are none. The others only watch the lease. The work starts with the
 * first call that needs the log.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientSession } from 'mongodb';
import type { Logger } from '../../../base/runtime.ts';
import type { Database, NumberingRecord } from '../database.ts';
import { limited, operationLimitMs } from '../writes/transaction.ts';
import { type ChangeDocument, parseChangeId, toChangeId } from './change-document.ts';
import type { StoreFormat } from './store-format.ts';

/** How long a process may be silent before another one takes over. */
const leaseMs = 3_000;

/** Numbers entries until it is stopped. */
export type Numbering = ReturnType<typeof createNumbering>;

const pollMs = 50;
/** The longest wait while no process writes. */
const maxPollMs = 200;
/** How often the lease is renewed or watched. */
const watchMs = leaseMs / 6;

/** Creates it over an open database. */
export function createNumbering({
  database,
  format,
  logger,
}: {
  database: Database;
  format: StoreFormat;
  logger: Logger;
}) {
  const lease = createNumberingLease(database);
  const pause = createPause();
  let held: HeldLease | undefined;
  let renewedMs = 0;
  let idleMs = pollMs;
  let lastWritten = 0;
  let isStopping = false;
  let hasFailed = false;
  let running: Promise<void> | undefined;

  /** Acquires or renews the lease when it is time, and looks at the format then. */
  async function holdLease(): Promise<void> {
    if (held !== undefined && performance.now() - renewedMs < watchMs) return;
    await format.check();
    renewedMs = performance.now();
    if (held === undefined) held = await lease.acquire();
    else if (!(await lease.renew(held))) held = undefined;
  }

  /** Returns how long to wait until the next step. */
  async function step(): Promise<number> {
    await holdLease();
    if (held === undefined) return watchMs;
    const result = await numberEntries(database, held);
    if (result === 'lost') held = undefined;
    idleMs = result === 'none' ? Math.min(2 * idleMs, maxPollMs) : pollMs;
    return result === 'more' ? 0 : idleMs;
  }

  async function stepSafely(): Promise<number> {
    try {
      const waitMs = await step();
      hasFailed = false;
      return waitMs;
    } catch (error) {
      if (!hasFailed) logger.warn({ err: error }, 'The change log could not be numbered');
      hasFailed = true;
      // The fencing number keeps a process that has lost the lease from numbering, and the renewal finds that out.
      renewedMs = 0;
      return watchMs;
    }
  }

  async function run(): Promise<void> {
    await format.ensure().catch(() => undefined);
    while (!isStopping && format.isKnown) {
      const waitMs = await stepSafely();
      if (!isStopping && waitMs > 0) await pause.wait(waitMs);
    }
  }

  /** Waits until the entries of this process have numbers, given by this process or another one. */
  async function finish(): Promise<void> {
    const endMs = performance.now() + operationLimitMs;
    const ours = { pending: { $gt: 0, $lte: lastWritten } };
    while (performance.now() < endMs && !hasFailed && format.isKnown) {
      if (!(await database.changes.findOne(ours, { projection: { _id: 1 } }))) break;
      if ((await stepSafely()) > 0) await sleep(pollMs);
    }
  }

  return {
    /** Starts the work, if it has not started yet. */
    start() {
      running ??= run();
    },
    /** Reports an entry that this process has just written; `stamp` is its `pending`. */
    noteWritten(stamp: number) {
      lastWritten = Math.max(lastWritten, stamp);
      running ??= run();
      idleMs = pollMs / 2;
      if (held !== undefined) pause.end();
    },
    /** Ends the work once the entries that this process has written are numbered. */
    async stop(): Promise<void> {
      isStopping = true;
      pause.end();
      await running;
      if (lastWritten > 0) await finish();
      if (held !== undefined) await lease.release(held);
    },
  };
}

/** Creates a pause that can be ended early, also before it begins. */
function createPause(): { wait(ms: number): Promise<void>; end(): void } {
  let isEnded = false;
  let resume = () => {};
  return {
    async wait(ms) {
      if (!isEnded) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isEnded = false;
    },
    end() {
      isEnded = true;
      resume();
    },
  };
}

// Numbers entries of the change log that are committed and have no `seq` yet.
//
// One transaction checks the fencing number, moves the last number, and numbers the entries. It becomes visible whole, and the next
// one begins after it has ended, so a reader that has read up to n never finds an entry up to n later.

/** An entry without a number. */
type Pending = Required<Pick<ChangeDocument, '_id' | 'pending' | 'type' | 'action'>>;

/** The most entries that one transaction numbers; their predecessors come in addition. */
const maxEntries = 500;

/**
 * Numbers the entries that are waiting, in one step. `none` means that there were none, `more` that others are waiting, `lost`
 * that another process has the lease.
 */
async function numberEntries(
  database: Database,
  { fence, session: own }: HeldLease,
): Promise<'none' | 'done' | 'more' | 'lost'> {
  const found = await findPending(database, { pending: { $gt: 0 } });
  if (found.length === 0) return 'none';
  const entries = found.length < maxEntries ? found : await withPredecessors(database, found);
  const isNumbered = await database.inTransaction(
    (session) => writeNumbers(database, { fence, entries: inOrder(entries), session }),
    own,
  );
  if (!isNumbered) return 'lost';
  return found.length < maxEntries ? 'done' : 'more';
}

async function findPending({ changes }: Database, filter: object): Promise<Pending[]> {
  // Reads what a majority has, so that no numbered entry can be rolled back.
  const readConcern = { level: 'majority' } as const;
  const options = {
    projection: { pending: 1, type: 1, action: 1 },
    sort: { pending: 1 },
    limit: maxEntries,
  } as const;
  return changes.find<Pending>(filter, { ...options, readConcern, ...limited }).toArray();
}

/** Adds earlier entries of the same assets that the limit has cut off, which happens when the clocks of processes differ. */
async function withPredecessors(database: Database, found: readonly Pending[]): Promise<Pending[]> {
  const entries = new Map(found.map((entry) => [entry._id, entry]));
  for (let latest: readonly Pending[] = found; latest.length > 0; ) {
    const ids = latest.map(({ _id }) => previousId(_id)).filter((id) => !entries.has(id));
    latest = ids.length === 0 ? [] : await findPending(database, { _id: { $in: ids }, pending: { $gt: 0 } });
    for (const entry of latest) entries.set(entry._id, entry);
  }
  return [...entries.values()];
}

function previousId(id: string): string {
  const { asset, number } = parseChangeId(id);
  return toChangeId(asset, number - 1);
}

/** Sorts entries by the time of their writing, and those of one asset by their number, whatever the clocks of processes say. */
function inOrder(entries: readonly Pending[]): Pending[] {
  const ofAssets = Map.groupBy(
    entries.toSorted((one, other) => (one._id < other._id ? 1 : -1)),
    ({ _id }) => parseChangeId(_id).asset,
  );
  return entries
    .toSorted((one, other) => one.pending - other.pending)
    .flatMap(({ _id }) => ofAssets.get(parseChangeId(_id).asset)?.pop() ?? []);
}

async function writeNumbers(
  { store, changes, types }: Database,
  { fence, entries, session }: { fence: number; entries: readonly Pending[]; session: ClientSession },
): Promise<boolean> {
  const options = { session, ...limited };
  const counting = { $inc: { last: entries.length } };
  const former = await store.findOneAndUpdate({ _id: 'numbering', fence }, counting, options);
  if (!former) return false;
  // Safe: this `_id` is that of the numbering.
  const first = (former as NumberingRecord).last + 1;
  const updates = entries.map(({ _id, pending }, n) => ({
    // An erased entry leaves a gap; one that an earlier attempt has numbered keeps its number.
    updateOne: {
      filter: { _id, pending },
      update: { $set: { seq: first + n }, $unset: { pending: true as const } },
    },
  }));
  await changes.bulkWrite(updates, { ordered: false, ...options });
  const writes = entries.filter(({ action }) => action !== 'signIn');
  const counts = [...Map.groupBy(writes, ({ type }) => type)].map(([_id, { length }]) => ({
    updateOne: { filter: { _id }, update: { $inc: { changes: length } }, upsert: true },
  }));
  if (counts.length > 0) await types.bulkWrite(counts, { ordered: false, ...options });
  return true;
}

// The lease of the process that numbers the entries of the change log.
//
// Each acquisition raises the fencing number, and each numbering transaction requires it, so a process that was paused for longer
// than the lease numbers nothing when it comes back. The next holder of the lease ends the last transaction of the former holder,
// which otherwise could lock the entries for a minute. All times are those of the database server.

/** A lease that this process has acquired. */
interface HeldLease {
  readonly fence: number;
  /** The session of all numbering transactions. */
  readonly session: ClientSession;
}

/** The lease, as one process sees it. */
function createNumberingLease(database: Database) {
  const { store, name: holder } = database;
  let session: ClientSession | undefined;
  return {
    /** Acquires the lease. Returns `undefined` while another process has it. */
    async acquire(): Promise<HeldLease | undefined> {
      const nowMs = (await database.readClock()).getTime();
      const isExpired = { _id: 'numbering', seen: { $lte: new Date(nowMs - leaseMs) } } as const;
      // Safe: this `_id` is that of the numbering.
      const former = (await store.findOne(isExpired, limited)) as NumberingRecord | null;
      if (!former) return undefined;
      // Without the right to do that, the next command waits until the server ends the transaction.
      if (former.session) await database.killSession(former.session).catch(() => undefined);
      session ??= database.startSession();
      const own = { holder, ...(session.id && { session: session.id.id }) };
      const change = { $set: own, $inc: { fence: 1 }, ...seenNow };
      const options = { returnDocument: 'after', ...limited } as const;
      const acquired = await store.findOneAndUpdate({ ...isExpired, fence: former.fence }, change, options);
      return acquired ? { fence: former.fence + 1, session } : undefined;
    },
    /** Returns whether the lease was still this process's. */
    async renew({ fence }: HeldLease): Promise<boolean> {
      const { matchedCount } = await store.updateOne({ _id: 'numbering', fence }, seenNow, limited);
      return matchedCount === 1;
    },
    /** Lets another process acquire the lease at once. */
    async release({ fence, session: used }: HeldLease): Promise<void> {
      const released = { $set: { seen: new Date(0) }, $unset: { session: true } } as const;
      await store.updateOne({ _id: 'numbering', fence }, released, limited);
      await used.endSession();
    },
  };
}

const seenNow = { $currentDate: { seen: true } } as const;
