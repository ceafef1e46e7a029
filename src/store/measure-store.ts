/**
 * Measures the calls of a store: how many there are, how long they take, and with which error they end.
 */
import { isDomainError } from '../base/errors.ts';
import {
  durationBounds,
  Histogram,
  type Labels,
  type Metric,
  toNumberMetric,
} from '../base/metrics/metric.ts';
import { isAbort } from '../base/runtime.ts';
import type { Tracing } from '../base/tracing.ts';
import type { ChangeLog } from './changes.ts';
import type { ContentStore, TextCalls } from './port.ts';
import { toWriterMetrics } from './writer-metrics.ts';

/** A store whose calls are measured. */
export interface MeasuredStore {
  readonly store: ContentStore;
  collect(): Metric[];
}

/** The calls of the store itself that serve requests. */
const measuredCalls = [
  'get',
  'getMany',
  'getChunk',
  'getTypes',
  'find',
  'insert',
  'patch',
  'delete',
  'write',
  'countOthers',
  'revision',
] as const satisfies readonly (keyof ContentStore)[];

/** Who else observes the calls of a store. */
export interface StoreObservers {
  /** Called at the beginning of each call; what it returns is called before the code that waits for the result continues. */
  readonly follow?: (() => (() => void) | undefined) | undefined;
  readonly tracing?: Pick<Tracing, 'beginCall'> | undefined;
}

/** Measures the calls of a store. */
export function measureStore(store: ContentStore, { follow, tracing }: StoreObservers = {}): MeasuredStore {
  const { system } = store;
  const calls = new Map<string, CallDurations>();

  /** A call with the name of its operation; calls of the same name count as one operation. */
  function measure(operation: string, call: AsyncCall): AsyncCall {
    const durations = calls.get(operation) ?? new CallDurations();
    calls.set(operation, durations);
    return (...given) => {
      const startedMs = performance.now();
      const onSettled = follow?.();
      const endSpan = tracing?.beginCall({ system, operation });
      const result = call(...given);
      result.then(
        () => {
          onSettled?.();
          endSpan?.();
          durations.succeeded(performance.now() - startedMs);
        },
        (error: unknown) => {
          onSettled?.();
          const type = errorType(error);
          endSpan?.(type);
          durations.failed(performance.now() - startedMs, type);
        },
      );
      return result;
    };
  }

  /** Measures functions that all return promises. */
  function measureAll<Calls extends object>(group: Calls, { prefix = '' } = {}): Calls {
    const entries: [string, AsyncCall][] = Object.entries(group);
    const measured = entries.map(([name, call]) => [name, measure(`${prefix}${name}`, call)]);
    // Each has the parameters and the result of the one that it calls.
    return Object.fromEntries(measured) as Calls;
  }

  const own = Object.fromEntries(measuredCalls.map((name) => [name, store[name]]));
  return {
    store: {
      ...store,
      ...measureAll(own),
      texts: measureAll<TextCalls>(store.texts),
      changes: measureAll<ChangeLog>(store.changes, { prefix: 'changes.' }),
    },
    collect: () => [
      {
        name: 'db_client_operation_duration_seconds',
        help: 'Duration of calls to the store, waiting included.',
        type: 'histogram',
        bounds: durationBounds,
        samples: [...calls].flatMap(([operation, durations]) =>
          durations.toSamples({ db_system_name: store.system, db_operation_name: operation }),
        ),
      },
      ...collectLoad(store),
    ],
  };
}

type AsyncCall = (...given: unknown[]) => Promise<unknown>;

/** The durations of one operation, by the error with which it ended. */
class CallDurations {
  readonly #success = new Histogram(durationBounds);
  readonly #failures = new Map<string, Histogram>();
  #hasSucceeded = false;

  succeeded(ms: number): void {
    this.#hasSucceeded = true;
    this.#success.record(ms / 1000);
  }

  failed(ms: number, name: string): void {
    const histogram = this.#failures.get(name) ?? new Histogram(durationBounds);
    this.#failures.set(name, histogram);
    histogram.record(ms / 1000);
  }

  toSamples(labels: Labels) {
    return [
      ...(this.#hasSucceeded ? [this.#success.toSample(labels)] : []),
      ...[...this.#failures].map(([name, histogram]) => histogram.toSample({ ...labels, error_type: name })),
    ];
  }
}

function errorType(error: unknown): string {
  if (isDomainError(error)) return error.code;
  return isAbort(error) ? 'aborted' : '_OTHER';
}

function collectLoad(store: ContentStore): Metric[] {
  const { searches, writer } = store.load();
  const gauge = (name: string, help: string, value: number): Metric =>
    toNumberMetric({ name, help, type: 'gauge', combine: 'sum', value });
  return [
    gauge('colophon_searches_running', 'Searches that run on threads or on the database.', searches.running),
    gauge('colophon_searches_waiting', 'Searches that wait for their turn.', searches.waiting),
    ...(writer ? toWriterMetrics(writer) : []),
  ];
}
