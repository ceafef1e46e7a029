/**
 * What a refusal by a server means for a transfer: whether another attempt may succeed, and what is wrong with a batch or a line.
 */
import { ColophonError, type ErrorFacts } from '../../client/errors.ts';
import type { Refusal } from './content-target.ts';

/** The refusal of a batch as a whole. A 413 can have any body, because a proxy may have sent it. */
export function findRefusal(error: ColophonError): Refusal | undefined {
  if (error.status === 413) return tooLarge(isColophons(error) ? `: ${error.message}` : '');
  if (ofRuns.includes(error.code)) return toRefusal(error);
  return error.status === 400 && isColophons(error) ? toRefusal(error) : undefined;
}

/** Errors about the run of a batch. */
const ofRuns: readonly string[] = ['run_closed', 'run_foreign', 'not_supported'];

const tooLarge = (reason: string): Refusal => ({
  code: 'body_too_large',
  isTransient: false,
  problems: [{ path: '', message: `is too large for the target${reason}` }],
});

export function toRefusal(facts: ErrorFacts & { readonly message: string }): Refusal {
  const { code, status = 0, path = '', message, problems = [] } = facts;
  return {
    code,
    isTransient: isServerFailure(status) || code === 'batch_too_costly',
    problems: problems.length > 0 ? problems : [{ path, message }],
  };
}

/** Whether the server failed. 501 says that it lacks a function. */
const isServerFailure = (status: number) => status >= 500 && status !== 501;

/** Whether another attempt may succeed. */
export function isTransient({ status, code, body }: ColophonError): boolean {
  if (status === undefined) return true;
  if (code === 'not_supported') return false;
  return status === 429 || isServerFailure(status) || (status === 200 && typeof body === 'string');
}

/** Whether the server has understood a request and refuses it. */
export const isRefused = (error: unknown) =>
  error instanceof ColophonError && (error.status === 400 || error.status === 403) && isColophons(error);

/** Whether a response has the form of the content management API's. */
export const isColophons = ({ code }: ColophonError) =>
  code !== 'unexpected_answer' && !code.startsWith('http_');
