/**
 * What a process asks of its store at one moment: running and waiting searches, and the load of its writer.
 */
import type { HistogramSample } from '../base/metrics/metric.ts';

/** The bounds of the sizes of batches, in calls. */
export const batchBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** What a process asks of its store at one moment. */
export interface StoreLoad {
  readonly searches: { readonly running: number; readonly waiting: number };
  /** Of a store that this process writes to in batches. */
  readonly writer?: WriterLoad;
}

/** The writes that wait for a writer or are with it, and the sizes of its batches. */
export interface WriterLoad {
  readonly waiting: number;
  readonly batchSizes: HistogramSample;
}
