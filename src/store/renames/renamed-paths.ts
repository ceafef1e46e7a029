/**
 * Converts predicates and paths of the present types to stored names.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundComparison, BoundPredicate } from '../../query/ast.ts';
import { allOf, anyOf, negate } from '../../query/build-comparison.ts';
import { evaluatePredicate } from '../../query/evaluate.ts';
import type { RenamedMembers } from './renamed-members.ts';
import type { Renames } from './renames.ts';
import { endOf, groupByStorage, isOneOf, type StoredEnd, type StoredPaths } from './stored-paths.ts';

/** Converts a predicate over assets of the given present classes. */
export function toStoredPredicate(
  renames: Renames,
  classes: readonly string[],
  where: BoundPredicate,
): BoundPredicate {
  const convert = (term: BoundPredicate) => toStoredPredicate(renames, classes, term);
  switch (where.kind) {
    case 'constant':
      return where;
    case 'and':
    case 'or':
      return { ...where, terms: where.terms.map(convert) };
    case 'not':
      return { kind: 'not', term: convert(where.term) };
    default: {
      const comparison = toStoredClasses(renames, classes, where);
      return comparison.kind === 'constant' ? comparison : toStoredComparison(renames, classes, comparison);
    }
  }
}

/**
 * Converts a path that must be stored in the same way in all types of a query.
 *
 * Errors: invalid_parameter, when its values have different names in some of the types.
 */
export function toOneStoredPath(
  renames: Renames,
  classes: readonly string[],
  { path, parameter }: { path: FieldPath; parameter: 'sort' | 'facets' },
): StoredEnd {
  const [first, ...others] = groupByStorage(renames, classes, path);
  const [end = { path }] = first?.ends ?? [];
  if (others.length === 0) return end;
  const message = `cannot be by ${JSON.stringify(path.text)}: its values are stored under different names in ${classes.join(' and ')}. A mirror into a new store gives them one name`;
  throw invalidParameter(parameter, message);
}

/** Converts a stored path, such as a store names in an error, to the present one of the first type that has it. */
export function toPresentPath(renames: Renames, classes: readonly string[], text: string): string {
  for (const name of classes) {
    const members = renames.types.get(name)?.members;
    const found = members && findPresentPath(members, text);
    if (found !== undefined) return found;
  }
  return text;
}

/** Replaces a comparison of class names by the stored names of the classes for which it holds. */
function toStoredClasses(
  { toStoredClass }: Renames,
  classes: readonly string[],
  comparison: BoundComparison,
): BoundComparison | Extract<BoundPredicate, { kind: 'constant' }> {
  const end = endOf(comparison.path, classes);
  if (comparison.kind === 'missing' || end.path.leaf.kind !== 'type') return comparison;
  if (end.classes.every((name) => toStoredClass(name) === name)) return comparison;
  const predicate = { ...comparison, path: end.path };
  const resolve = () => undefined;
  const matches = end.classes.filter((name) =>
    evaluatePredicate({ predicate, asset: { _id: '', _type: name }, resolve }),
  );
  if (matches.length === 0) return { kind: 'constant', value: false };
  return { kind: 'equals', path: comparison.path, values: matches.map(toStoredClass), ignoreCase: false };
}

function toStoredComparison(
  renames: Renames,
  classes: readonly string[],
  comparison: BoundComparison,
): BoundPredicate {
  const groups = groupByStorage(renames, classes, comparison.path);
  // A value is missing when no path reaches one; any other comparison needs one value.
  const join = comparison.kind === 'missing' ? allOf : anyOf;
  const compare = ({ ends }: StoredPaths) => join(ends.map((end) => compareEnd(comparison, end)));
  const [only, ...others] = groups;
  if (only && others.length === 0) return compare(only);
  return anyOf(groups.map((group) => allOf([isOneOf(renames, group.classes), compare(group)])));
}

/** Compares the values of a stored path; an asset that lacks the field has its default. */
function compareEnd(comparison: BoundComparison, { path, fallback }: StoredEnd): BoundPredicate {
  const stored: BoundPredicate = { ...comparison, path };
  if (!fallback) return stored;
  const asset = { _id: '', _type: '', ...fallback.members };
  const predicate = { ...comparison, path: endOf(comparison.path, []).path };
  const holds = evaluatePredicate({ predicate, asset, resolve: () => undefined });
  if (comparison.kind === 'missing') return holds ? stored : allOf([stored, negate(fallback.absent)]);
  return holds ? anyOf([stored, fallback.absent]) : stored;
}

function findPresentPath({ byStoredName }: RenamedMembers, text: string): string | undefined {
  const names = text.split('.');
  for (let length = names.length; length > 0; length--) {
    const member = byStoredName.get(names.slice(0, length).join('.'));
    if (!member) continue;
    if (length === names.length) return member.name;
    if (member.content === undefined || member.content === 'reference') continue;
    const rest = findPresentPath(member.content, names.slice(length).join('.'));
    if (rest !== undefined) return `${member.name}.${rest}`;
  }
  return undefined;
}
