/**
 * Metrics as plain data, which one process may send to another, and the histogram that collects durations and sizes.
 *
 * Names, labels and units are those of OpenTelemetry's semantic conventions, as Prometheus writes them.
 */

/** The labels of a sample. */
export type Labels = Readonly<Record<string, string>>;

/** The common members of a metric. */
interface MetricHead {
  /** The complete name, with its unit, and for counters with `_total`. */
  readonly name: string;
  readonly help: string;
}

/** A counter, which only grows, or a gauge. */
export interface NumberMetric extends MetricHead {
  readonly type: 'counter' | 'gauge';
  /** How the values of several processes become one; counters are added. */
  readonly combine: 'sum' | 'max';
  readonly samples: readonly { readonly labels: Labels; readonly value: number }[];
}

/** How values are distributed. */
export interface HistogramMetric extends MetricHead {
  readonly type: 'histogram';
  /** The upper bounds of all buckets but the last, in ascending order. */
  readonly bounds: readonly number[];
  readonly samples: readonly HistogramSample[];
}

/** The values with the same labels: how many are in each bucket, the last one included, and their sum. */
export interface HistogramSample {
  readonly labels: Labels;
  readonly counts: readonly number[];
  readonly sum: number;
}

/** A metric with its samples. */
export type Metric = NumberMetric | HistogramMetric;

/** The bounds of durations, in seconds: those of OpenTelemetry, and shorter ones for requests that take less than 5 ms. */
export const durationBounds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** What the processes behind one port collect: the metrics, or the requests of the last hour, which have the form of metrics. */
export type Collected = 'metrics' | 'recent traffic';

/** Counts values in buckets. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #copy: readonly number[] | undefined;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  /** Adds a value. */
  record(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
    this.#copy = undefined;
  }

  /** Returns how many values are in each bucket: the same array until another value is recorded. */
  counts(): readonly number[] {
    this.#copy ??= [...this.#counts];
    return this.#copy;
  }

  /** Returns the values so far as a sample. */
  toSample(labels: Labels): HistogramSample {
    return { labels, counts: this.counts(), sum: this.#sum };
  }
}

/** Creates a gauge or a counter with one value and no labels. */
export function toNumberMetric(
  head: Omit<NumberMetric, 'samples'> & { readonly value: number },
): NumberMetric {
  const { value, ...rest } = head;
  return { ...rest, samples: [{ labels: {}, value }] };
}
