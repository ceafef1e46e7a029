/**
 * The problems of a body, each with its path, and how messages list them: only the first ones of many.
 */

/**
 * One thing wrong with a body: where it is and why. `path` is a JSON name such as `address.city` or `tags[2]`; `line` and
 * `column` count from 1 within a value that is source text.
 */
export interface Problem {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** The most problems one answer lists. */
const maxProblems = 100;

/** Returns the problems that an answer lists. */
export const shownOf = (problems: readonly Problem[]) => problems.slice(0, maxProblems);

/** Describes the first few problems in one line. */
export function describeProblems(problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, 5)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const more = problems.length - shown.length;
  return more === 0 ? shown.join('; ') : `${shown.join('; ')}; and ${count(more, 'problem')} more`;
}

/** Writes a number with the noun that it counts. */
export const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** One thing wrong with an SDL source; `line` and `column` count from 1. */
export interface SourceProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Quotes a text from the request for a message. */
export const quote = (text: string) => JSON.stringify(shorten(text));

/** Shortens a text from the request, which can be very long. */
export const shorten = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** The kinds of thing that a `not_found` error can name. */
export type Kind =
  | 'asset'
  | 'API client'
  | 'API key'
  | 'content type'
  | 'GraphQL endpoint'
  | 'REST endpoint'
  | 'version'
  | 'user';
