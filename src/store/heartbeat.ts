/**
 * The heartbeat of a serving process: a report to its store at a regular interval. The adapter decides what a report does.
 */
import { isDomainError, storeBusy } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import type { ServingTiming } from './served-types.ts';

/** A running heartbeat. */
export type Heartbeat = ReturnType<typeof startHeartbeat>;

/** Starts the heartbeat. A report that fails is logged; the next one is sent all the same. */
export function startHeartbeat({
  timing: { heartbeatMs },
  report,
  logger,
}: {
  timing: ServingTiming;
  report: () => Promise<void>;
  logger: Logger;
}) {
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
    /** Errors: store_busy, when the last report could not prepare the store for this process's content types. */
    assertFit() {
      if (isDomainError(failure, 'bad_config')) throw storeBusy(failure.message, failure);
    },
    /** Stops reporting, and waits for the report in progress. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
