/**
 * What a process asks of its store at one moment: running and waiting searches, and the load of its writer.
 */
import type { HistogramSample } from '../base/metrics/metric.ts';
import type { IndexProgress } from './search-plan.ts';

/** The bounds of the sizes of batches, in calls. */
export const batchBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** What a process asks of its store at one moment. */
export interface StoreLoad {
  /** Whether this process has met damage in the database file; absent for a database on a server. */
  readonly isDamaged?: boolean;
  readonly searches: { readonly running: number; readonly waiting: number };
  /** Of a store that this process writes to in batches. */
  readonly writer?: WriterLoad;
}

/** The writes that wait for a writer or are with it, the sizes of its batches, and the indexes that it builds. */
export interface WriterLoad {
  readonly waiting: number;
  readonly batchSizes: HistogramSample;
  /** The indexes that this process builds. */
  readonly incomplete: readonly IndexProgress[];
}
