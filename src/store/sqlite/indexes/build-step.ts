/**
 * One step of building the indexes of the database, in the transaction of the caller: those of fields first, then those of words.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { IndexProgress } from '../../search-plan.ts';
import { selectRows } from '../connection.ts';
import { buildWordStep } from '../words/stored-words.ts';
import type { WordWriter } from '../words/word-writer.ts';
import { fillStep, readProgress } from './index-filling.ts';

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
