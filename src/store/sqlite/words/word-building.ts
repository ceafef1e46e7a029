/**
 * Builds the word indexes of the database, one step after the other, so that other writes take their turns between the steps.
 */
import type { Logger } from '../../../base/runtime.ts';
import type { BuildStep } from './stored-words.ts';

/** Builds word indexes. */
export interface WordBuilding {
  /** Resolves when every word index is complete. A call while one is running waits for the same work. */
  finish(): Promise<void>;
  /** Begins the work unless it is running. A failure is logged; the next call tries again. */
  start(): void;
  /** Ends the work after the current step; a later process continues it. */
  stop(): Promise<void>;
}

/** Creates the building from its steps; `completed` runs with each index that became complete. */
export function createWordBuilding({
  step,
  completed,
  logger,
}: {
  step: () => Promise<BuildStep>;
  completed: () => void;
  logger: Logger;
}): WordBuilding {
  let running: Promise<void> | undefined;
  let isStopped = false;

  async function build(): Promise<void> {
    const startMs = performance.now();
    while (!isStopped) {
      const { done, completed: index } = await step();
      if (index) {
        completed();
        logger.debug({ index, ms: Math.round(performance.now() - startMs) }, 'Word index complete');
      }
      if (done) return;
    }
  }

  function finish(): Promise<void> {
    running ??= build().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    finish,
    start() {
      finish().catch((error) => logger.warn({ err: error }, 'The word indexes could not be built'));
    },
    async stop() {
      isStopped = true;
      await running?.catch(() => undefined);
    },
  };
}
