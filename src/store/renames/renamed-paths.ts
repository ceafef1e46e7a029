/**
 * Converts predicates and paths of the present types to stored names.
 */
import { invalidParameter } from '../../base/errors.ts';
import { type FieldPath, walkFields } from '../../model/field-path.ts';
import type { BoundAny, BoundComparison, BoundPredicate } from '../../query/ast.ts';
import { allOf, anyOf, negate } from '../../query/build-comparison.ts';
import { evaluatePredicate } from '../../query/evaluate.ts';
import type { RenamedMembers } from './renamed-members.ts';
import type { Renames } from './renames.ts';
import { groupByStorage, isOneOf, membersAt, type StoredEnd, type StoredRoot } from './stored-paths.ts';

/** Converts a predicate over assets of the given present classes. */
export const toStoredPredicate = (
  renames: Renames,
  classes: readonly string[],
  where: BoundPredicate,
): BoundPredicate => convert(renames, { classes, membersOf: membersIn(renames) }, where);

const membersIn = (renames: Renames) => (name: string) => renames.types.get(name)?.members;

function convert(renames: Renames, root: StoredRoot, where: BoundPredicate): BoundPredicate {
  switch (where.kind) {
    case 'constant':
      return where;
    case 'and':
    case 'or':
      return { ...where, terms: where.terms.map((term) => convert(renames, root, term)) };
    case 'not':
      return { kind: 'not', term: convert(renames, root, where.term) };
    case 'any':
      return toStoredAny(renames, root, where);
    default: {
      const comparison = toStoredClasses(renames, root.classes, where);
      return comparison.kind === 'constant' ? comparison : toStoredComparison(renames, root, comparison);
    }
  }
}

/** Converts a condition on items, type by type: their members may have different stored names in each. */
function toStoredAny(renames: Renames, root: StoredRoot, any: BoundAny): BoundPredicate {
  const terms = root.classes.flatMap((name) =>
    groupByStorage({ ...root, classes: [name] }, any.path).map(({ end }) => {
      const term = withFallback(any, toStoredItems(renames, { any, end, root, name }), end);
      return { classes: [name], term };
    }),
  );
  const groups = Map.groupBy(terms, ({ term }) => JSON.stringify(term));
  return joinGroups(
    renames,
    [...groups.values()].map((group) => ({
      term: group[0]?.term ?? any,
      classes: group.flatMap(({ classes }) => classes),
    })),
  );
}

function toStoredItems(
  renames: Renames,
  { any, end, root, name }: { any: BoundAny; end: StoredEnd; root: StoredRoot; name: string },
): BoundAny {
  const { targets, where } = any;
  if (targets) {
    const stored = targets.map(renames.toStoredClass);
    return { ...any, path: end.path, targets: stored, where: toStoredPredicate(renames, targets, where) };
  }
  const members = membersAt(any.path, root.membersOf(name));
  const items = { classes: [name], membersOf: () => members };
  return { ...any, path: end.path, where: convert(renames, items, where) };
}

/** Joins what holds for assets of some classes each. */
function joinGroups(
  renames: Renames,
  groups: readonly { readonly classes: readonly string[]; readonly term: BoundPredicate }[],
): BoundPredicate {
  const [only, ...others] = groups;
  if (only && others.length === 0) return only.term;
  return anyOf(groups.map(({ classes, term }) => allOf([isOneOf(renames, classes), term])));
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
  const [first, ...others] = groupByStorage({ classes, membersOf: membersIn(renames) }, path);
  if (parameter === 'sort' && first?.end.kinds)
    throw invalidParameter(
      parameter,
      `cannot be by ${JSON.stringify(path.text)}: its values are stored under former names`,
    );
  if (others.length === 0) return first?.end ?? { path };
  const message = `cannot be by ${JSON.stringify(path.text)}: its values are stored under different names in ${classes.join(' and ')}. An export that is imported into a new store gives them one name`;
  throw invalidParameter(parameter, message);
}

/** Converts a stored path, such as a store names in an error, to the present one of the first type that has it. */
export function toPresentPath(renames: Renames, classes: readonly string[], text: string): string {
  const [head = '', ...rest] = text.split('/');
  const found = classes.flatMap((name) => {
    const members = renames.types.get(name)?.members;
    return (members && findPresentPath(members, head)) ?? [];
  });
  const present = found[0] ?? head;
  if (rest.length === 0) return present;
  const targets = classes.flatMap((name) => {
    const type = renames.stored.types.get(renames.toStoredClass(name));
    const leaf = type && walkFields(type, head.split('.'))?.leaf;
    return leaf?.kind === 'reference' ? leaf.targets.map(renames.toPresentClass) : [];
  });
  return `${present}/${toPresentPath(renames, targets, rest.join('/'))}`;
}

/** Replaces a comparison of class names by the stored names of the classes for which it holds. */
function toStoredClasses(
  { toStoredClass }: Renames,
  classes: readonly string[],
  comparison: BoundComparison,
): BoundComparison | Extract<BoundPredicate, { kind: 'constant' }> {
  if (comparison.kind === 'missing' || comparison.path.leaf.kind !== 'type') return comparison;
  if (classes.every((name) => toStoredClass(name) === name)) return comparison;
  const resolve = () => undefined;
  const matches = classes.filter((name) =>
    evaluatePredicate({ predicate: comparison, asset: { _id: '', _type: name }, resolve }),
  );
  if (matches.length === 0) return { kind: 'constant', value: false };
  return { kind: 'equals', path: comparison.path, values: matches.map(toStoredClass), ignoreCase: false };
}

const toStoredComparison = (renames: Renames, root: StoredRoot, comparison: BoundComparison) =>
  joinGroups(
    renames,
    groupByStorage(root, comparison.path).map(({ classes, end }) => ({
      classes,
      term: withFallback(comparison, toStoredKinds(comparison, end), end),
    })),
  );

/** Replaces a comparison of the kinds of blocks by the stored names of those for which it holds. */
function toStoredKinds(comparison: BoundComparison, { path, kinds }: StoredEnd): BoundComparison {
  if (!kinds || comparison.kind === 'missing' || comparison.kind === 'empty') return { ...comparison, path };
  const predicate = { ...comparison, path: { ...path, steps: path.steps.slice(-1) } };
  const matches = kinds.filter(({ name }) =>
    evaluatePredicate({ predicate, asset: { _id: '', _type: name }, resolve: () => undefined }),
  );
  return { kind: 'equals', path, values: matches.map(({ storedName }) => storedName), ignoreCase: false };
}

/** Adds the assets that lack a field, and so have its default. */
function withFallback(
  term: BoundComparison | BoundAny,
  stored: BoundPredicate,
  { fallback }: StoredEnd,
): BoundPredicate {
  if (!fallback) return stored;
  const asset = { _id: '', _type: '', ...fallback.members };
  const holds = evaluatePredicate({ predicate: term, asset, resolve: () => undefined });
  if (term.kind === 'missing') return holds ? stored : allOf([stored, negate(fallback.absent)]);
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
