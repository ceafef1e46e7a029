/**
 * What a condition on the items of a list implies for the asset as a whole, so that indexes of the values of all items can narrow it:
 * `offers any (price > 10 and not sold = true)` implies `offers.price > 10`.
 */
import type { FieldPath } from '../model/field-path.ts';
import type { BoundAny, BoundPredicate } from '../query/ast.ts';
import { allOf, anyOf, joinPaths } from '../query/build-comparison.ts';

/** Returns what such a condition implies, without conditions on embedded items; `true` when it is nothing. */
export const necessaryCondition = ({ path, where }: BoundAny): BoundPredicate => within(path, where);

function within(path: FieldPath, where: BoundPredicate): BoundPredicate {
  switch (where.kind) {
    case 'and':
      return allOf(where.terms.map((term) => within(path, term)));
    case 'or':
      return anyOf(where.terms.map((term) => within(path, term)));
    case 'any': {
      const inner = joinPaths(path, where.path);
      return where.targets ? { ...where, path: inner } : within(inner, where.where);
    }
    case 'constant':
      return where;
    case 'not':
    case 'missing':
      return allOf([]);
    default:
      return { ...where, path: joinPaths(path, where.path) };
  }
}
