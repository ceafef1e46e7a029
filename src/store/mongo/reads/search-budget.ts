/**
 * The budget of time of one search, which its commands share. It begins when the search begins: waiting for a turn does not count.
 */
import { isDomainError, queryTooCostly } from '../../../base/errors.ts';
import { isOutOfTime } from '../map-error.ts';
import { operationLimitMs, withinLimit } from '../writes/transaction.ts';

/** Returns the limits of the next command, in the driver's words. Errors: query_too_costly when no time is left. */
export type SearchBudget = () => { readonly maxTimeMS: number; readonly signal?: AbortSignal };

/** Creates a budget that begins now. */
export function createSearchBudget(
  limitMs: number,
  signal?: AbortSignal,
  now: () => number = () => performance.now(),
): SearchBudget {
  const endMs = now() + limitMs;
  return () => {
    const maxTimeMS = Math.ceil(endMs - now());
    if (maxTimeMS <= 0) throw queryTooCostly();
    return { maxTimeMS, ...(signal && { signal }) };
  };
}

/**
 * Runs a search with a budget that begins now. Errors: those of the search; store_busy when the server does not even answer that
 * the time is used up, so that the search does not keep its turn.
 */
export const searchWithin = <Found>(
  limitMs: number,
  search: (budget: SearchBudget) => Promise<Found>,
  signal?: AbortSignal,
): Promise<Found> =>
  withinLimit(() => search(createSearchBudget(limitMs, signal)), limitMs + operationLimitMs);

/** Whether a search has failed because its time was used up. */
export const isUsedUp = (error: unknown) => isOutOfTime(error) || isDomainError(error, 'query_too_costly');
