/**
 * How long an idempotent request waits for other runs of itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { storeBusy } from '../../base/errors.ts';

/** The waiting of one request. */
export interface WaitLimit {
  /** Waits for a run in this process. Errors: store_busy when it takes too long. */
  waitFor(run: Promise<unknown>): Promise<void>;
  /** Waits before the record is read again, longer each time. Errors: store_busy when the time is used up. */
  pause(): Promise<void>;
}

const limitMs = 10_000;
const firstPauseMs = 20;
const longestPauseMs = 200;

/** Starts the waiting of a request. */
export function createWaitLimit(): WaitLimit {
  const endMs = performance.now() + limitMs;
  const tooLong = () => storeBusy('the request with this Idempotency-Key is still under way');
  let pauseMs = firstPauseMs;
  return {
    async waitFor(run) {
      const timeout = new AbortController();
      const late = sleep(limitMs, 'late', { signal: timeout.signal, ref: false }).catch(() => {});
      const first = await Promise.race([run, late]);
      timeout.abort();
      if (first === 'late') throw tooLong();
    },
    async pause() {
      if (performance.now() >= endMs) throw tooLong();
      await sleep(pauseMs);
      pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
    },
  };
}
