/**
 * Numbers the change log in the background: one process at a time, which holds the lease.
 *
 * The holder looks for new entries at once when its own process has written. For those of other processes it looks every 50 ms
 * while there are any, and up to 200 ms apart while there are none. The others only watch the lease. The work starts with the
 * first call that needs the log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../base/runtime.ts';
import type { Database } from '../database.ts';
import { operationLimitMs } from '../writes/time-limits.ts';
import { numberEntries } from './number-entries.ts';
import { createNumberingLease, type HeldLease, leaseMs } from './numbering-lease.ts';
import type { StoreFormat } from './store-format.ts';

/** Numbers entries until it is stopped. */
export interface Numbering {
  /** Starts the work, if it has not started yet. */
  start(): void;
  /** Reports an entry that this process has just written; `stamp` is its `pending`. */
  noteWritten(stamp: number): void;
  /** Ends the work once the entries that this process has written are numbered. */
  stop(): Promise<void>;
}

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
}): Numbering {
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
    start() {
      running ??= run();
    },
    noteWritten(stamp) {
      lastWritten = Math.max(lastWritten, stamp);
      running ??= run();
      idleMs = pollMs / 2;
      if (held !== undefined) pause.end();
    },
    async stop() {
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
