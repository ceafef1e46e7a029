/**
 * The regular report of a serving process to its store; what a report does is the adapter's.
 */
import { isDomainError, storeBusy } from '../base/errors.ts';
import type { Logger } from '../base/runtime.ts';
import type { ServingTiming } from './served-types.ts';

/** Reports until it is stopped. */
export interface Beating {
  /** Errors: store_busy, while the store cannot be made fit for the content types of this process. */
  assertFit(): void;
  /** Waits for the report under way. */
  stop(): Promise<void>;
}

/** Starts reporting; a report that fails is logged, and the next one is sent all the same. */
export function startBeating({
  timing: { beatMs },
  beat,
  logger,
}: {
  timing: ServingTiming;
  beat: () => Promise<void>;
  logger: Logger;
}): Beating {
  let running: Promise<void> | undefined;
  let failure: unknown;
  const report = async () => {
    try {
      await beat();
      failure = undefined;
    } catch (error) {
      failure = error;
      logger.error({ err: error }, 'The store could not be kept fit for the content types');
    }
  };
  const timer = setInterval(() => {
    running ??= report().finally(() => {
      running = undefined;
    });
  }, beatMs);
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
