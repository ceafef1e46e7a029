/**
 * What is wrong with a body, place by place, and how that is told: a body can be wrong in more places than anyone reads.
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

/** The problems that an answer lists. */
export const shownOf = (problems: readonly Problem[]) => problems.slice(0, maxProblems);

/** The first few problems in one line. */
export function describeProblems(problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, 5)
    .map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const more = problems.length - shown.length;
  return more === 0 ? shown.join('; ') : `${shown.join('; ')}; and ${count(more, 'problem')} more`;
}

/** A number with what it counts. */
export const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** One thing wrong with an SDL source; `line` and `column` count from 1. */
export interface SourceProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A text of the caller's in a message. */
export const quote = (text: string) => JSON.stringify(shorten(text));

/** What a caller sent can be as long as a request. */
export const shorten = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** What there can be none of. */
export type Kind =
  | 'asset'
  | 'API client'
  | 'API key'
  | 'content type'
  | 'GraphQL endpoint'
  | 'REST endpoint'
  | 'version'
  | 'user';
