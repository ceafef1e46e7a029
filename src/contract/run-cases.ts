/**
 * Runs cases one after the other and reports each result at once. It keeps no results, since a run has thousands.
 */
import { type Case, type CaseGroup, type CaseResult, Violation } from './case.ts';
import { NoResponse } from './responses/send-request.ts';
import type { RandomGenerator } from './samples/random-generator.ts';

/** Receives each result when its case ends. */
export type Report = (result: CaseResult) => void;

/** The cases to run, besides the setup cases that the others need. */
export interface Selection {
  /** The operation that they test. */
  readonly operation: string;
  /** Matches the operation and the title; absent matches all. */
  readonly name?: RegExp;
}

/** The number of cases in a row without a response after which a run ends, since each further one would wait for its timeout. */
const maxUnanswered = 3;

/**
 * Runs the cases of several groups.
 *
 * Errors: those of a group that cannot create its cases, and one when the instance no longer answers.
 */
export async function runCases({
  groups,
  only,
  random,
  signal,
  report,
}: {
  groups: Iterable<CaseGroup>;
  only?: Selection;
  /** Restarted for each case, so that its values do not depend on which others run. */
  random: RandomGenerator;
  /** Ends the run after the current case. */
  signal: AbortSignal;
  report: Report;
}): Promise<void> {
  let unanswered = 0;
  let groupNumber = 0;
  for (const group of groups) {
    groupNumber++;
    let number = 0;
    for (const one of group) {
      number++;
      if (signal.aborted) return;
      if (isSelected(one, only)) {
        random.restart(`case ${groupNumber}.${number}`);
        const { result, isAnswered } = await runCase(one);
        report(result);
        unanswered = isAnswered ? 0 : unanswered + 1;
        if (unanswered === maxUnanswered)
          throw new Error(
            `stopped after ${maxUnanswered} cases without a response: ${result.failure?.message}`,
          );
      }
      random.restart(`after ${groupNumber}.${number}`);
    }
  }
}

/** Whether a case is selected. */
function isSelected({ operation, title, isSetup }: Case, only: Selection | undefined): boolean {
  if (isSetup || only === undefined) return true;
  return operation === only.operation && (only.name?.test(`${operation} ${title}`) ?? true);
}

async function runCase(one: Case): Promise<{ result: CaseResult; isAnswered: boolean }> {
  const startedMs = performance.now();
  const { operation, title } = one;
  let isAnswered = true;
  const outcome = await one.run().catch((error: unknown) => {
    isAnswered = !(error instanceof NoResponse);
    return toFailure(error);
  });
  const ms = performance.now() - startedMs;
  return { result: { operation, title, ms, ...outcome }, isAnswered };
}

function toFailure(error: unknown): Pick<CaseResult, 'failure'> {
  if (error instanceof Violation) return { failure: error.failure };
  const message = error instanceof Error ? error.message : String(error);
  return { failure: error instanceof NoResponse ? { message, request: error.request } : { message } };
}
