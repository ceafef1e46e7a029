/**
 * The limits of one GraphQL document.
 *
 * The first three bound the work of parsing, the next two the size of the response, the last two the work of the store. Introspection
 * has all of these limits except depth and cost, and the limit of `measure-introspection.ts`.
 */

import { type ASTNode, GraphQLError } from 'graphql';
import { type DomainError, limitExceeded } from '../../base/errors.ts';
import type { RefusedDocument } from '../operation.ts';

/** The limits by the names that errors report. */
export const graphqlLimits = {
  /** Of the document's text. */
  characters: 500_000,
  /** Comments are limited to as many. */
  tokens: 10_000,
  /** The nesting of brackets of any kind. */
  nesting: 100,
  /** The nesting of fields. */
  depth: 15,
  /** Fields with an alias; those of a fragment count at each spread. */
  aliases: 50,
  /** Assets that the store may have to read. */
  cost: 100_000,
  /** Assets that several lists skip by their offsets, without the list that skips most. */
  skipped: 100_000,
} as const;

/** Returns an error when `actual` exceeds a limit. */
export function findExcess(limit: keyof typeof graphqlLimits, actual: number): DomainError | undefined {
  const max = graphqlLimits[limit];
  return actual > max ? limitExceeded(limit, { max, actual }) : undefined;
}

// Limits the errors that GraphQL reports: their number, and how much each quotes.
//
// GraphQL quotes a whole value in the message of each error in it, so that the messages can be many times larger than the request.

/** The most errors in one response. */
export const maxErrors = 100;

/** Returns how many errors GraphQL may report for a document or for variables of a size: fewer if each can quote very much. */
export function maxErrorsFor(size: number): number {
  if (size <= 10_000) return maxErrors;
  return size <= 100_000 ? 10 : 2;
}

/** Shortens each value that a message quotes, and the message. */
export function shortenMessage(message: string): string {
  if (message.length <= maxQuoted) return message;
  const start = message.slice(0, maxMessage);
  const shortened = start
    .replace(/"([^"]{200})[^"]+("|$)/g, '"$1…"')
    .replace(/found: (.{200}).+$/s, 'found: $1…');
  return message.length > maxMessage && shortened.length === start.length ? `${start}…` : shortened;
}

/** The most characters of a value that a message quotes; the expressions above repeat it. */
const maxQuoted = 200;
const maxMessage = 500;

/** Refuses a document for errors that GraphQL found. */
export function refuse(errors: readonly GraphQLError[]): RefusedDocument {
  return {
    problems: errors.slice(0, maxErrors).map(({ message, locations }) => {
      const { line, column } = locations?.[0] ?? { line: 1, column: 1 };
      return { message: shortenMessage(message), line, column };
    }),
  };
}

/** Refuses a document for one problem at a node. */
export function refuseAt(node: ASTNode | undefined, message: string): RefusedDocument {
  return refuse([new GraphQLError(message, { nodes: node })]);
}

/** Refuses a document that exceeds a limit. */
export function refuseExcess(cause: DomainError, node?: ASTNode): RefusedDocument {
  return { ...refuseAt(node, cause.message), cause };
}

/** Tests whether preparing a document ended in a refusal. */
export function isRefused(outcome: object): outcome is RefusedDocument {
  return 'problems' in outcome;
}
