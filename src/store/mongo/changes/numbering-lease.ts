/**
 * The lease of the process that numbers the entries of the change log.
 *
 * Each acquisition raises the fencing number, and each numbering transaction requires it, so a process that was paused for longer
 * than the lease numbers nothing when it comes back. All times are those of the database server.
 */
import type { Database, NumberingRecord } from '../database.ts';
import { limited } from '../writes/time-limits.ts';

/** How long a process may be silent before another one takes over. */
export const leaseMs = 3_000;

/** The lease, as one process sees it. */
export interface NumberingLease {
  /** Acquires the lease. Returns the fencing number, or `undefined` while another process has it. */
  acquire(): Promise<number | undefined>;
  /** Returns whether the lease was still this process's. */
  renew(fence: number): Promise<boolean>;
  /** Lets another process acquire the lease at once. */
  release(fence: number): Promise<void>;
}

/** Creates it over an open database. */
export function createNumberingLease({ store, readClock, name: holder }: Database): NumberingLease {
  return {
    async acquire() {
      const nowMs = (await readClock()).getTime();
      const found = await store.findOneAndUpdate(
        { _id: 'numbering', seen: { $lte: new Date(nowMs - leaseMs) } },
        { $set: { holder }, $inc: { fence: 1 }, ...seenNow },
        { returnDocument: 'after', ...limited },
      );
      // Safe: this `_id` is that of the numbering.
      return (found as NumberingRecord | null)?.fence;
    },
    async renew(fence) {
      const { matchedCount } = await store.updateOne({ _id: 'numbering', fence }, seenNow, limited);
      return matchedCount === 1;
    },
    async release(fence) {
      await store.updateOne({ _id: 'numbering', fence }, { $set: { seen: new Date(0) } }, limited);
    },
  };
}

const seenNow = { $currentDate: { seen: true } } as const;
