/**
 * Replaces comparisons of the `_id` of referenced assets (`author/_id = "…"`) by comparisons of the references themselves, whose
 * index has the order by `_id`.
 *
 * A reference may lead to an asset that no longer exists, or to one of another type, so those that are asked for are looked up first. A
 * search on a reader thread may read a later state, in which they have been deleted.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundComparison, BoundPredicate } from '../../../query/ast.ts';
import { allOf, anyOf, negate } from '../../../query/build-comparison.ts';
import type { RunQuery } from '../connection.ts';
import { getType, type StoredTypes } from '../indexes/stored-types.ts';

/**
 * How many pairs of a value and a type one comparison looks up, on the main thread and before the search begins. A comparison with more
 * stays as it is.
 */
const maxLookups = 100;

/** Returns a predicate with the same meaning for the assets that exist now; `where` itself if it has no such comparison. */
export function resolveTargets(all: RunQuery, where: BoundPredicate, types: StoredTypes): BoundPredicate {
  switch (where.kind) {
    case 'and':
    case 'or': {
      const terms = where.terms.map((term) => resolveTargets(all, term, types));
      if (terms.every((term, n) => term === where.terms[n])) return where;
      return where.kind === 'and' ? allOf(terms) : anyOf(terms);
    }
    case 'not': {
      const term = resolveTargets(all, where.term, types);
      return term === where.term ? where : negate(term);
    }
    case 'equals':
      return resolveEquals(all, where, types);
    default:
      return where;
  }
}

type Equals = Extract<BoundComparison, { kind: 'equals' }>;

function resolveEquals(all: RunQuery, comparison: Equals, types: StoredTypes): BoundPredicate {
  const reference = toReference(comparison.path);
  if (!reference || comparison.values.length * reference.targets.length > maxLookups) return comparison;
  const numbers = reference.targets.map((name) => getType(types, name).number);
  const found = all({
    sql: `SELECT id FROM assets
      WHERE id IN (SELECT value FROM json_each(?2)) AND type IN (SELECT value FROM json_each(?1))`,
    params: [JSON.stringify(numbers), JSON.stringify(comparison.values)],
  });
  const values = found.map(([id]) => String(id));
  return values.length === 0
    ? { kind: 'constant', value: false }
    : { ...comparison, path: reference.path, values };
}

/** Returns the path to the reference whose target's `_id` a path ends at, and its targets; `undefined` for any other path. */
function toReference(path: FieldPath): { path: FieldPath; targets: readonly string[] } | undefined {
  const { through, ...own } = path;
  if (!through) return undefined;
  if (through.path.leaf.kind === 'id') return { path: own, targets: through.targets };
  const inner = toReference(through.path);
  return inner && { ...inner, path: { ...path, through: { ...through, path: inner.path } } };
}
