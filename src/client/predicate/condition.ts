/**
 * Conditions of predicates as text, with their values apart, and their combination by `and`, `or` and `not`.
 */
import type { PredicateValue } from '../query-types.ts';

/** A condition that assets fulfil or not. `text` is predicate text with a `?` for each of `values`. */
export interface Condition {
  readonly kind: 'comparison' | 'and' | 'or' | 'not';
  readonly text: string;
  readonly values: readonly PredicateValue[];
}

/** Holds when all conditions hold; without conditions it always holds. */
export const and = (...conditions: readonly Condition[]): Condition => join('and', conditions);

/** Holds when any of the conditions holds; without conditions it never holds. */
export const or = (...conditions: readonly Condition[]): Condition => join('or', conditions);

/** Holds when the condition does not hold. */
export function not(condition: Condition): Condition {
  const { kind, text, values } = assertCondition(condition);
  const isChain = kind === 'and' || kind === 'or';
  return { kind: 'not', text: `not ${isChain ? `(${text})` : text}`, values };
}

/** Returns a condition unchanged. Throws a TypeError for any other value, which JavaScript or a cast lets through. */
export function assertCondition(value: Condition): Condition {
  if (typeof value?.text === 'string' && Array.isArray(value.values)) return value;
  throw new TypeError('Expected a condition, such as article.headline.eq("News")');
}

function join(kind: 'and' | 'or', conditions: readonly Condition[]): Condition {
  const [first, ...others] = conditions.map(assertCondition);
  if (first === undefined) return { kind: 'comparison', text: String(kind === 'and'), values: [] };
  if (others.length === 0) return first;
  const all = [first, ...others];
  // `and` binds closer than `or`.
  const write = (term: Condition) => (kind === 'and' && term.kind === 'or' ? `(${term.text})` : term.text);
  return { kind, text: all.map(write).join(` ${kind} `), values: all.flatMap(({ values }) => values) };
}
