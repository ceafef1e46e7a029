/** Names a bound predicate by a path in it, for messages. */
import type { BoundPredicate } from './ast.ts';

/** Returns the first path of a predicate as it is written in predicates: `author/name`. */
export function firstPathOf(predicate: BoundPredicate): string | undefined {
  switch (predicate.kind) {
    case 'constant':
      return undefined;
    case 'and':
    case 'or':
      return predicate.terms.map(firstPathOf).find((path) => path !== undefined);
    case 'not':
      return firstPathOf(predicate.term);
    case 'any': {
      const inner = firstPathOf(predicate.where);
      return inner === undefined
        ? predicate.path.text
        : `${predicate.path.text}${predicate.targets ? '/' : '.'}${inner}`;
    }
    default:
      return predicate.path.text;
  }
}
