/**
 * A case of the contract suite, the result of running it, and the assertion that makes it fail.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ContractRequest } from './responses/send-request.ts';

/** One case: a few requests and the responses they must get. */
export interface Case {
  /** The operation that it tests, as `--only` names it. */
  readonly operation: string;
  /** What is expected, such as `400 limit is above 1000`. */
  readonly title: string;
  /** Whether other cases need what it creates. A setup case always runs, even if `--only` does not name it. */
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

export class Violation extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Two values to compare, and the request that produced the received one. */
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
    message: `${what}: unexpected value`,
    expected,
    received,
    ...(request ? { request } : {}),
  });
}

export function toCase(
  operation: string,
  title: string,
  run: () => Promise<SkipReason | undefined> | Promise<void>,
): Case {
  return { operation, title, run: async () => (await run()) ?? undefined };
}

/** Creates a case that always runs, even if `--only` does not name it. */
export function toSetupCase(...parts: Parameters<typeof toCase>): Case {
  return { ...toCase(...parts), isSetup: true };
}
