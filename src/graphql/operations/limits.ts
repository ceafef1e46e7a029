/**
 * How much one document may ask for.
 *
 * The first three bound what reading a document costs, the next two what its answer is made of, the last what it has the store
 * do. Introspection is bound by all but depth and cost.
 */
import { type DomainError, limitExceeded } from '../../base/errors.ts';

/** The limits of one document; what goes beyond is refused by name. */
export const graphqlLimits = {
  /** Of the text. */
  characters: 500_000,
  tokens: 10_000,
  /** Brackets of any kind inside one another. */
  nesting: 100,
  /** Fields inside one another. */
  depth: 15,
  /** Fields with an alias, those of a fragment as often as it is spread. */
  aliases: 50,
  /** Assets that could be fetched. */
  cost: 100_000,
} as const;

/** The error of going beyond a limit, if `actual` does. */
export function findExcess(limit: keyof typeof graphqlLimits, actual: number): DomainError | undefined {
  const max = graphqlLimits[limit];
  return actual > max ? limitExceeded(limit, { max, actual }) : undefined;
}
