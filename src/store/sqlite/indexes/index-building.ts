/**
 * Builds the indexes of the database, one step after the other, so that other writes take their turns between the steps.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../../base/runtime.ts';
import type { IndexProgress } from '../../search-plan.ts';
import { selectRows } from '../connection.ts';
import { buildWordStep } from '../words/stored-words.ts';
import type { WordWriter } from '../words/word-writer.ts';
import { fillStep, readProgress } from './index-filling.ts';

/** Creates the building from its steps; `completed` runs when indexes have become complete. */
export function createIndexBuilding({
  step,
  completed,
  logger,
}: {
  step: () => Promise<BuildStep>;
  completed: () => void;
  logger: Logger;
}) {
  let running: Promise<void> | undefined;
  let isStopped = false;
  let incomplete: readonly IndexProgress[] = [];

  async function build(): Promise<void> {
    const startMs = performance.now();
    while (!isStopped) {
      const built = await step();
      incomplete = built.incomplete;
      if (built.completed.length > 0) {
        completed();
        const ms = Math.round(performance.now() - startMs);
        logger.debug({ indexes: built.completed, ms }, 'Indexes complete');
      }
      if (built.done) return;
    }
  }

  /** Resolves when every index is complete. A call while one is running waits for the same work. */
  function finish(): Promise<void> {
    running ??= build().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    finish,
    /** Begins the work unless it is running. A failure is logged; the next call tries again. */
    start() {
      finish().catch((error) => logger.warn({ err: error }, 'The indexes could not be built'));
    },
    /** Ends the work after the current step; a later process continues it. */
    async stop(): Promise<void> {
      isStopped = true;
      await running?.catch(() => undefined);
    },
    /** The indexes that were incomplete after the last step. */
    incomplete: () => incomplete,
  };
}

/** What a step has done. */
export interface BuildStep {
  /** Whether every index is complete, word indexes have their recent words, and unused columns are empty. */
  readonly done: boolean;
  /** The names of the indexes that became complete. */
  readonly completed: readonly string[];
  /** How far the others are. */
  readonly incomplete: readonly IndexProgress[];
}

/** Does the next step. */
export function buildStep(database: DatabaseSync, words: WordWriter): BuildStep {
  const { done, completed } = fillStep(database);
  const step = done ? buildWordStep(database, words) : { done: false, completed };
  return { ...step, incomplete: readProgress((query) => selectRows(database, query)) };
}
