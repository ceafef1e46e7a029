/**
 * What a case is, how one fails, and what the suite says of it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ContractRequest } from './responses/send-request.ts';

/** One case: a request or a few, and what must come of them. */
export interface Case {
  /** The operation it is about, as `--only` names it. */
  readonly operation: string;
  /** What is expected, such as `400 limit is above 1000`. */
  readonly title: string;
  /** Whether it makes what other cases work with, and so is run whatever `--only` names. */
  readonly isSetup?: boolean;
  /** Runs it; what it returns is the reason why it was skipped. Fails with a `Violation` when the contract is broken. */
  run(): Promise<SkipReason | undefined>;
}

/** Why a case was not run. */
export interface SkipReason {
  readonly skipped: string;
}

/** Several cases that belong together, made one after the other as they are run. */
export type CaseGroup = Iterable<Case>;

/** What became of a case. */
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

/** A break of the contract. */
export class Violation extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** What is compared, and the request that it comes from. */
export interface Comparison {
  /** What it is about, such as `the items of the page`. */
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

/** Makes a case of what runs. */
export function toCase(
  operation: string,
  title: string,
  run: () => Promise<SkipReason | undefined> | Promise<void>,
): Case {
  return { operation, title, run: async () => (await run()) ?? undefined };
}

/** Makes a case that is run whatever `--only` names. */
export function toSetup(...parts: Parameters<typeof toCase>): Case {
  return { ...toCase(...parts), isSetup: true };
}
