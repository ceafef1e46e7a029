/**
 * The metrics of a store: how many calls there are, how long they take and with which error they end, and its load.
 */

import { type DomainError, isDomainError } from '../base/errors.ts';
import {
  durationBounds,
  Histogram,
  type Labels,
  type Metric,
  toNumberMetric,
} from '../base/metrics/metric.ts';
import { isAbort } from '../base/runtime.ts';
import type { TracedCall, Tracing } from '../base/tracing.ts';
import { batchBounds, type StoreLoad, type WriterLoad } from './store-load.ts';

/** Measures the calls of a store. */
export type StoreMeter = ReturnType<typeof createStoreMeter>;

/** Who else observes the calls of a store. */
interface StoreObservers {
  /** Called at the beginning of each call; what it returns is called before the code that waits for the result continues. */
  readonly follow?: (() => (() => void) | undefined) | undefined;
  readonly tracing?: Pick<Tracing, 'beginCall'> | undefined;
}

export function createStoreMeter({ follow, tracing }: StoreObservers) {
  const operations = new Map<string, CallDurations>();

  function durationsOf({ system, operation }: TracedCall): CallDurations {
    const known = operations.get(operation);
    if (known) return known;
    const durations = new CallDurations({ db_system_name: system, db_operation_name: operation });
    operations.set(operation, durations);
    return durations;
  }

  return {
    /** Begins a call. What it returns ends the call, with its error if it has failed. */
    begin(call: TracedCall): (error?: unknown) => void {
      const durations = durationsOf(call);
      const startedMs = performance.now();
      const onSettled = follow?.();
      const endSpan = tracing?.beginCall(call);
      return (error) => {
        onSettled?.();
        const type = error === undefined ? undefined : errorType(error);
        endSpan?.(type);
        durations.record(performance.now() - startedMs, type);
      };
    },
    collect: (): Metric[] => [
      {
        name: 'db_client_operation_duration_seconds',
        help: 'Duration of calls to the store, waiting included.',
        type: 'histogram',
        bounds: durationBounds,
        samples: [...operations.values()].flatMap((durations) => durations.toSamples()),
      },
    ],
  };
}

/** The durations of one operation, by the error with which it ended. */
class CallDurations {
  readonly #labels: Labels;
  readonly #byError = new Map<string | undefined, Histogram>();

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  record(ms: number, error: string | undefined): void {
    const histogram = this.#byError.get(error) ?? new Histogram(durationBounds);
    this.#byError.set(error, histogram);
    histogram.record(ms / 1000);
  }

  toSamples() {
    return [...this.#byError].map(([error, histogram]) =>
      histogram.toSample({ ...this.#labels, ...(error !== undefined && { error_type: error }) }),
    );
  }
}

function errorType(error: unknown): string {
  if (isDomainError(error)) return error.code;
  return isAbort(error) ? 'aborted' : '_OTHER';
}

/** Lists the metrics of a store's load. */
export function toLoadMetrics({ isDamaged, searches, writer }: StoreLoad): Metric[] {
  const gauge = (name: string, help: string, value: number): Metric =>
    toNumberMetric({ name, help, type: 'gauge', combine: 'sum', value });
  return [
    gauge('colophon_searches_running', 'Searches that run on threads or on the database.', searches.running),
    gauge('colophon_searches_waiting', 'Searches that wait for their turn.', searches.waiting),
    ...(writer ? toWriterMetrics(writer) : []),
    ...(isDamaged === undefined ? [] : [toDamageMetric(isDamaged)]),
  ];
}

const toDamageMetric = (isDamaged: boolean): Metric =>
  toNumberMetric({
    name: 'colophon_store_damaged',
    help: '1 after damage was met in the database file.',
    type: 'gauge',
    combine: 'max',
    value: Number(isDamaged),
  });

/** Lists the metrics of a writer that runs writes in batches. */
export function toWriterMetrics({ waiting, batchSizes, incomplete }: WriterLoad): Metric[] {
  return [
    toNumberMetric({
      name: 'colophon_writer_waiting',
      help: 'Writes that wait for the writer or are with it.',
      type: 'gauge',
      combine: 'sum',
      value: waiting,
    }),
    {
      name: 'colophon_writer_batch_size',
      help: 'Calls that the writer has run in one batch.',
      type: 'histogram',
      bounds: batchBounds,
      samples: [batchSizes],
    },
    {
      name: 'colophon_index_filled_ratio',
      help: 'The part of the assets whose values a new index has; no search uses it before it has all.',
      type: 'gauge',
      combine: 'max',
      samples: incomplete.map(({ type, field, filled }) => ({ labels: { type, field }, value: filled })),
    },
  ];
}

/** Runs the work of a call. Errors: those of the port; the reason of an aborted signal. */
export type RunCall = <Result>(operation: string, work: () => Result | Promise<Result>) => Promise<Result>;

/** The calls of an adapter. */
interface CallOptions {
  /** The name of the database system, as OpenTelemetry writes it. */
  readonly system: string;
  readonly meter: StoreMeter | undefined;
  readonly isClosed: () => boolean;
  /** Translates an error of the database. */
  readonly toError: (operation: string, error: unknown) => DomainError;
}

/** Creates the function that runs every call. */
export function createCallRunner({ system, meter, isClosed, toError }: CallOptions): RunCall {
  return async (operation, work) => {
    const end = meter?.begin({ system, operation });
    try {
      if (isClosed()) throw new Error('The store is closed');
      const result = await work();
      end?.();
      return result;
    } catch (thrown) {
      const error = isAbort(thrown) ? thrown : toError(operation, thrown);
      end?.(error);
      throw error;
    }
  };
}

/** Calls that return promises of what the functions of `Work` return. */
type CallsOf<Work> = {
  readonly [Name in keyof Work]: Work[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : never;
};

/** Returns calls that run the functions of a part of the port, each as the operation of its name. */
export function runCalls<Work extends object>(run: RunCall, work: Work, prefix = ''): CallsOf<Work> {
  const entries: [string, (...given: unknown[]) => unknown][] = Object.entries(work);
  const calls = entries.map(([name, call]) => {
    const operation = prefix + name;
    return [name, (...given: unknown[]) => run(operation, () => call(...given))];
  });
  // Each call has the parameters of its function, and returns a promise of its result.
  return Object.fromEntries(calls) as CallsOf<Work>;
}
