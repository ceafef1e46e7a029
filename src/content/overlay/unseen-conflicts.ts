/**
 * Limits how many values and `_id`s a sender can find out to be in use by assets that it may not see. A write that is only checked
 * leaves no trace, so each of its conflicts with such an asset is counted.
 *
 * Beyond the limit every check of the sender is refused, since a response that depends on the value would tell whether it is in use. The
 * workers of a server count together. The number of senders is bounded; those that have met such an asset last are kept.
 */
import { LRUCache } from 'lru-cache';
import { tooManyAttempts } from '../../base/errors.ts';

/** The conflicts of all senders with assets that they may not see. */
export type UnseenConflicts = ReturnType<typeof createUnseenConflicts>;

/** How many conflicts a sender may have in an hour. */
const maxConflicts = 20;
const periodMs = 3_600_000;
const maxSenders = 10_000;

/** Creates the counts. `now` is a monotonic clock in milliseconds. */
export function createUnseenConflicts(now: () => number = () => performance.now()) {
  /** When the last conflicts of each sender were, the oldest first. */
  const conflicts = new LRUCache<string, readonly number[]>({ max: maxSenders });
  let report: (sender: string) => void = () => {};

  /** Counts a conflict that another process has counted. */
  const apply = (sender: string): void =>
    void conflicts.set(sender, [...(conflicts.get(sender) ?? []), now()].slice(-maxConflicts));

  /** Errors: too_many_attempts until the sender may check a write again. */
  function assertMayCheck(sender: string): void {
    const times = conflicts.get(sender) ?? [];
    const [oldest = 0] = times;
    const waitMs = oldest + periodMs - now();
    if (times.length >= maxConflicts && waitMs > 0)
      throw tooManyAttempts(Math.ceil(waitMs / 1000), 'checks of values that other assets have');
  }

  return {
    assertMayCheck,
    /** Counts a conflict. Errors: too_many_attempts for one beyond the limit. */
    count(sender: string) {
      assertMayCheck(sender);
      apply(sender);
      report(sender);
    },
    apply,
    /** Calls `listener` with the sender of each conflict in this process. */
    onCount(listener: (sender: string) => void) {
      report = listener;
    },
  };
}
