/**
 * The limits of one GraphQL document.
 *
 * The first three bound the work of parsing, the next two the size of the response, the last two the work of the store. Introspection
 * has all of these limits except depth and cost, and the limit of `measure-introspection.ts`.
 */
import { type DomainError, limitExceeded } from '../../base/errors.ts';

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
