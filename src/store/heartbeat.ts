/**
 * The heartbeat of a serving process: a report to its store at a regular interval. The adapter decides what a report does.
 */
import { isDomainError, storeBusy } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import type { ServingTiming } from './served-types.ts';

/** A running heartbeat. */
export interface Heartbeat {
  /** Errors: store_busy, when the last report could not prepare the store for this process's content types. */
  assertFit(): void;
  /** Stops reporting, and waits for the report in progress. */
  stop(): Promise<void>;
}

/** Starts the heartbeat. A report that fails is logged; the next one is sent all the same. */
export function startHeartbeat({
  timing: { heartbeatMs },
  report,
  logger,
}: {
  timing: ServingTiming;
  report: () => Promise<void>;
  logger: Logger;
}): Heartbeat {
  let running: Promise<void> | undefined;
  let failure: unknown;
  const reportOnce = async () => {
    try {
      await report();
      failure = undefined;
    } catch (error) {
      failure = error;
      logger.error({ err: error }, 'The store could not be prepared for the content types');
    }
  };
  const timer = setInterval(() => {
    running ??= reportOnce().finally(() => {
      running = undefined;
    });
  }, heartbeatMs);
  timer.unref();
  return {
    assertFit() {
      if (isDomainError(failure, 'bad_config')) throw storeBusy(failure.message, failure);
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
