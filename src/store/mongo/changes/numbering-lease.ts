/**
 * The lease of the process that numbers the entries of the change log.
 *
 * Each acquisition raises the fencing number, and each numbering transaction requires it, so a process that was paused for longer
 * than the lease numbers nothing when it comes back. The next holder of the lease ends the last transaction of the former holder,
 * which otherwise could lock the entries for a minute. All times are those of the database server.
 */
import type { ClientSession } from 'mongodb';
import type { Database, NumberingRecord } from '../database.ts';
import { limited } from '../writes/time-limits.ts';

/** How long a process may be silent before another one takes over. */
export const leaseMs = 3_000;

/** A lease that this process has acquired. */
export interface HeldLease {
  readonly fence: number;
  /** The session of all numbering transactions. */
  readonly session: ClientSession;
}

/** The lease, as one process sees it. */
export interface NumberingLease {
  /** Acquires the lease. Returns `undefined` while another process has it. */
  acquire(): Promise<HeldLease | undefined>;
  /** Returns whether the lease was still this process's. */
  renew(held: HeldLease): Promise<boolean>;
  /** Lets another process acquire the lease at once. */
  release(held: HeldLease): Promise<void>;
}

/** Creates it over an open database. */
export function createNumberingLease(database: Database): NumberingLease {
  const { store, name: holder } = database;
  let session: ClientSession | undefined;
  return {
    async acquire() {
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
    async renew({ fence }) {
      const { matchedCount } = await store.updateOne({ _id: 'numbering', fence }, seenNow, limited);
      return matchedCount === 1;
    },
    async release({ fence, session: used }) {
      const released = { $set: { seen: new Date(0) }, $unset: { session: true } } as const;
      await store.updateOne({ _id: 'numbering', fence }, released, limited);
      await used.endSession();
    },
  };
}

const seenNow = { $currentDate: { seen: true } } as const;
