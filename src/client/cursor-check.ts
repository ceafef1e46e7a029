/**
 * Stops readers of pages at a cursor that they have had before: a server that returns it would send the same pages without end.
 */
import { ColophonError } from './errors.ts';

/**
 * Creates the check of the cursors of one reading: a function that returns a new cursor unchanged, and throws `toError` of a message for
 * one that it was called with before.
 */
export function createCursorCheck(
  toError: (message: string) => Error = unexpectedAnswer,
): (cursor: string) => string {
  const seen = new Set<string>();
  return (cursor) => {
    if (seen.has(cursor))
      throw toError(
        `The cursor ${JSON.stringify(cursor)} was returned before, so the pages would repeat without end`,
      );
    seen.add(cursor);
    return cursor;
  };
}

const unexpectedAnswer = (message: string) =>
  new ColophonError(message, { code: 'unexpected_answer', status: 200 });
