/**
 * Problems of a body, each with its path, and functions that format them. Messages list only the first few.
 */

/**
 * A problem of a body. `path` is a JSON name such as `address.city` or `tags[2]`; `line` and
 * `column` count from 1 within a value that is source text.
 */
export interface Problem {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * A field that two writers have changed from the same version to different values. `base` is the common former value; a value is
 * absent when the field had none.
 */
export interface EditConflict {
  readonly path: string;
  readonly base?: unknown;
  readonly theirs?: unknown;
  readonly yours?: unknown;
  /** Whether the values are left out, because there are too many. */
  readonly omitted?: true;
}

/** The assets that keep another one from being deleted, as one caller sees them. */
export interface Referrers {
  /** How many the caller sees, at most 1,000. */
  readonly count: number;
  /** The first of them. */
  readonly items: readonly { readonly _id: string; readonly _type: string; readonly title: string }[];
  /** Set when there are some that the caller does not see. */
  readonly others?: true;
}

/** Why a draft of a release cannot be published. */
export interface PublicationFinding {
  /** The `_id` of the asset, its class name and its title. */
  readonly asset: string;
  readonly type: string;
  readonly title: string;
  readonly action: 'create' | 'change' | 'delete';
  /** The live version of the asset; absent when it is not live. */
  readonly live?: string;
  /** An error code and its message. */
  readonly code: string;
  readonly message: string;
  readonly problems?: readonly Problem[];
  readonly conflicts?: readonly EditConflict[];
  readonly referrers?: Referrers;
}

/** The maximum number of problems in one response. */
const maxProblems = 100;

/** Returns the first problems, as many as a response may list. */
export const firstProblems = <Found>(problems: readonly Found[]) => problems.slice(0, maxProblems);

/** Describes the first few problems in one line. */
export function describeProblems(problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, 5)
    .map(({ path, message }) =>
      path === '' ? message : `${path}${isSentence(message) ? ':' : ''} ${message}`,
    );
  const more = problems.length - shown.length;
  return more === 0 ? shown.join('; ') : `${shown.join('; ')}; and ${count(more, 'problem')} more`;
}

/** Most messages go on behind the path; those of rules are sentences. */
const isSentence = (message: string) => /^\p{Lu}/u.test(message);

/** Formats a number with its noun, such as `2 values`. */
export const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** A problem of an SDL source; `line` and `column` count from 1. */
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

/** What a `not_found` error can be about. */
export type Kind =
  | 'asset'
  | 'API client'
  | 'API key'
  | 'content type'
  | 'delivery'
  | 'draft of the asset'
  | 'file'
  | 'GraphQL endpoint'
  | 'preview link'
  | 'saved view'
  | 'release'
  | 'REST endpoint'
  | 'run'
  | 'session'
  | 'session'
  | 'such past state of the asset'
  | 'version'
  | 'user'
  | 'webhook';
