/**
 * Runs cases one after the other, and tells what became of each as it happens; nothing is kept but numbers.
 */
import { type Case, type CaseGroup, type CaseResult, Violation } from './case.ts';
import { NoAnswer } from './responses/send-request.ts';
import type { Draw } from './samples/random-generator.ts';

/** Takes results as they come. */
export type Report = (result: CaseResult) => void;

/** Which cases are run besides those that make what the others work with. */
export interface Selection {
  /** The operation that they are about. */
  readonly operation: string;
  /** What their names match, which are the operation and the title; absent means any. */
  readonly name?: RegExp;
}

/** So many cases in a row without an answer end a run: each would wait for its time limit. */
const maxUnanswered = 3;

/**
 * Runs the cases of several groups.
 *
 * Errors: that of a group which cannot make its cases, and one when the instance does not answer any more.
 */
export async function runCases({
  groups,
  only,
  draw,
  signal,
  report,
}: {
  groups: Iterable<CaseGroup>;
  only?: Selection;
  /** Begins anew with each case, so that what one draws does not depend on which others are run. */
  draw: Draw;
  /** Ends the run behind the case that is under way. */
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
        draw.restart(`case ${groupNumber}.${number}`);
        const { result, isAnswered } = await runCase(one);
        report(result);
        unanswered = isAnswered ? 0 : unanswered + 1;
        if (unanswered === maxUnanswered) throw new Error(`given up: ${result.failure?.message}`);
      }
      draw.restart(`after ${groupNumber}.${number}`);
    }
  }
}

/** Whether a case is among those that are wanted. */
function isSelected({ operation, title, isSetup }: Case, only: Selection | undefined): boolean {
  if (isSetup || only === undefined) return true;
  return operation === only.operation && (only.name?.test(`${operation} ${title}`) ?? true);
}

async function runCase(one: Case): Promise<{ result: CaseResult; isAnswered: boolean }> {
  const startedMs = performance.now();
  const { operation, title } = one;
  let isAnswered = true;
  const outcome = await one.run().catch((error: unknown) => {
    isAnswered = !(error instanceof NoAnswer);
    return toFailure(error);
  });
  const ms = performance.now() - startedMs;
  return { result: { operation, title, ms, ...outcome }, isAnswered };
}

function toFailure(error: unknown): Pick<CaseResult, 'failure'> {
  if (error instanceof Violation) return { failure: error.failure };
  const message = error instanceof Error ? error.message : String(error);
  return { failure: error instanceof NoAnswer ? { message, request: error.request } : { message } };
}
