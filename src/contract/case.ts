/**
 * A case of the contract suite, its failure, and its result.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ContractRequest } from './responses/send-request.ts';

/** One case: a few requests and the responses they must get. */
export interface Case {
  /** The operation it is about, as `--only` names it. */
  readonly operation: string;
  /** What is expected, such as `400 limit is above 1000`. */
  readonly title: string;
  /** Whether other cases need what it creates, so that it runs whatever `--only` names. */
  readonly isSetup?: boolean;
  /** Runs it; returns the reason when it was skipped. Throws a `Violation` when the contract is broken. */
  run(): Promise<SkipReason | undefined>;
}

/** Why a case was not run. */
export interface SkipReason {
  readonly skipped: string;
}

/** Cases that belong together, created one by one while they run. */
export type CaseGroup = Iterable<Case>;

/** The result of a case. */
export interface CaseResult {
  readonly operation: string;
  readonly title: string;
  readonly ms: number;
  readonly skipped?: string;
  readonly failure?: Failure;
}

/** How a case failed. */
export interface Failure {
  readonly message: string;
  readonly request?: ContractRequest;
  readonly expected?: unknown;
  readonly received?: unknown;
}

/** A violation of the contract. */
export class Violation extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Two values to compare, and the request behind them. */
export interface Comparison {
  /** Names the value, such as `the items of the page`. */
  readonly what: string;
  readonly received: unknown;
  readonly expected: unknown;
  readonly request?: ContractRequest;
}

/** Fails unless two values are the same. */
export function assertSame({ what, received, expected, request }: Comparison): void {
  if (isDeepStrictEqual(received, expected)) return;
  throw new Violation({
    message: `${what} is not what it should be`,
    expected,
    received,
    ...(request ? { request } : {}),
  });
}

/** Makes a case from a function. */
export function toCase(
  operation: string,
  title: string,
  run: () => Promise<SkipReason | undefined> | Promise<void>,
): Case {
  return { operation, title, run: async () => (await run()) ?? undefined };
}

/** Makes a case that runs whatever `--only` names. */
export function toSetup(...parts: Parameters<typeof toCase>): Case {
  return { ...toCase(...parts), isSetup: true };
}
