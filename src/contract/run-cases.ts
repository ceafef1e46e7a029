/**
 * Runs cases one after the other, and tells what became of each as it happens; nothing is kept but numbers.
 */
import { type Case, type CaseGroup, type CaseResult, Violation } from './case.ts';

/** How a run ended. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Takes results as they come. */
export type Report = (result: CaseResult) => void;

/** Runs the cases of several groups. */
export async function runCases({
  groups,
  only,
  signal,
  report,
}: {
  groups: Iterable<CaseGroup>;
  /** The operation whose cases alone are run. */
  only?: string;
  /** Ends the run behind the case that is under way. */
  signal: AbortSignal;
  report: Report;
}): Promise<Tally> {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  for (const group of groups) {
    for (const one of group) {
      if (signal.aborted) return tally;
      if (only !== undefined && one.operation !== only && !one.isSetup) continue;
      const result = await runCase(one);
      tally[result.failure ? 'failed' : result.skipped === undefined ? 'passed' : 'skipped']++;
      report(result);
    }
  }
  return tally;
}

async function runCase(one: Case): Promise<CaseResult> {
  const startedMs = performance.now();
  const { operation, title } = one;
  const outcome = await one.run().catch(toFailure);
  const ms = performance.now() - startedMs;
  return { operation, title, ms, ...outcome };
}

function toFailure(error: unknown): Pick<CaseResult, 'failure'> {
  if (error instanceof Violation) return { failure: error.failure };
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return { failure: { message: message + cause } };
}
