/**
 * Runs the calls of an adapter: each is measured, and ends with its result or with an error of the port.
 */
import type { DomainError } from '../base/errors.ts';
import { isAbort } from '../base/runtime.ts';
import type { StoreMeter } from './store-metrics.ts';

/** Runs the work of a call. Errors: those of the port; the reason of an aborted signal. */
export type RunCall = <Result>(operation: string, work: () => Result | Promise<Result>) => Promise<Result>;

/** The calls of an adapter. */
export interface CallOptions {
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
export type CallsOf<Work> = {
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
