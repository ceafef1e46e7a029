/**
 * Converts predicates and paths of the present types to stored names.
 */

import { invalidParameter } from '../../base/errors.ts';
import type { Catalog, Json, JsonObject, ValueType } from '../../model/content-type.ts';
import { type FieldPath, type PathStep, walkFields } from '../../model/field-path.ts';
import type { BoundAny, BoundComparison, BoundPredicate } from '../../query/ast.ts';
import { allOf, anyOf, negate } from '../../query/build-comparison.ts';
import { evaluatePredicate } from '../../query/evaluate.ts';
import type { RenameClass, RenamedKind, RenamedMembers, RenamedType } from './renamed-members.ts';

/** What predicates are converted by; see `renames.ts`. */
export interface StoredNames {
  readonly types: ReadonlyMap<string, RenamedType>;
  readonly toStoredClass: RenameClass;
}

/** What stored paths are converted by. */
interface PresentNames extends StoredNames {
  readonly stored: Pick<Catalog, 'types'>;
  readonly toPresentClass: RenameClass;
}

/** Converts a predicate over assets of the given present classes. */
export const toStoredPredicate = (
  renames: StoredNames,
  classes: readonly string[],
  where: BoundPredicate,
): BoundPredicate => convert(renames, { classes, membersOf: membersIn(renames) }, where);

const membersIn = (renames: StoredNames) => (name: string) => renames.types.get(name)?.members;

function convert(renames: StoredNames, root: StoredRoot, where: BoundPredicate): BoundPredicate {
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
function toStoredAny(renames: StoredNames, root: StoredRoot, any: BoundAny): BoundPredicate {
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
  renames: StoredNames,
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
  renames: StoredNames,
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
  renames: StoredNames,
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
export function toPresentPath(renames: PresentNames, classes: readonly string[], text: string): string {
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
  { toStoredClass }: StoredNames,
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

const toStoredComparison = (renames: StoredNames, root: StoredRoot, comparison: BoundComparison) =>
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

// Finds where the values of a path of the present types are stored.
//
// A path may be stored differently in two types of one query, or in two targets of a reference. Where an asset lacks a required field
// with a default, the path has the default as its value.

/** What paths begin at: the assets of some classes, by present name, or embedded values, which stand for one class. */
interface StoredRoot {
  readonly classes: readonly string[];
  readonly membersOf: (className: string) => RenamedMembers | undefined;
}

/** The types of a query, by present class name, in which a path is stored in the same way. */
interface StoredPaths {
  readonly classes: readonly string[];
  readonly end: StoredEnd;
}

interface StoredEnd {
  readonly path: FieldPath;
  /** Present when assets may lack a field of the path that has a default. */
  readonly fallback?: Fallback;
  /** Present when its values are the kinds of blocks, of which some have another stored name. */
  readonly kinds?: readonly RenamedKind[];
}

/** The default of a field of a path. */
export interface Fallback {
  /** Holds, on stored names, for the assets that lack the field. */
  readonly absent: BoundPredicate;
  /** The members, by present names, that such an asset has instead. */
  readonly members: JsonObject;
}

/** Groups types by how a path is stored in them. */
function groupByStorage({ classes, membersOf }: StoredRoot, path: FieldPath): readonly StoredPaths[] {
  const groups = new Map<string, StoredPaths>();
  for (const name of classes) {
    const members = membersOf(name);
    const steps = toStoredSteps(path.steps, members);
    const fallback = findFallback(path.steps, { steps, members });
    const kinds = kindsAt(path, members);
    const key = JSON.stringify([
      steps.map((step) => step.name),
      fallback?.members,
      kinds?.map(({ storedName }) => storedName),
    ]);
    // The index of a store knows a path by its text.
    const text = steps.map((step) => step.name).join('.');
    const end = groups.get(key)?.end ?? {
      path: { ...path, steps, text },
      ...(fallback && { fallback }),
      ...(kinds && { kinds }),
    };
    groups.set(key, { classes: [...(groups.get(key)?.classes ?? []), name], end });
  }
  return [...groups.values()];
}

/** Finds the kinds of the blocks whose `_type` a path ends at; `undefined` where no kind has another stored name. */
function kindsAt(path: FieldPath, members: RenamedMembers | undefined): readonly RenamedKind[] | undefined {
  if (path.leaf.kind !== 'enum' || path.steps.at(-1)?.name !== '_type') return undefined;
  const blocks = membersAt({ ...path, steps: path.steps.slice(0, -1) }, members);
  const isRenamed = blocks?.kinds?.some(({ name, storedName }) => name !== storedName);
  return isRenamed ? blocks?.kinds : undefined;
}

/** Finds the members of the embedded values that a path leads to. */
function membersAt(path: FieldPath, members: RenamedMembers | undefined): RenamedMembers | undefined {
  return path.steps.reduce<RenamedMembers | undefined>((within, { name }) => {
    const content = within?.byName.get(name)?.content;
    return content === 'reference' ? undefined : content;
  }, members);
}

/** The path of the class name of assets. */
const typePath: FieldPath = {
  text: '_type',
  steps: [{ name: '_type', list: false }],
  leaf: { kind: 'type' },
};

/** Holds for the assets of some present classes. */
const isOneOf = ({ toStoredClass }: StoredNames, classes: readonly string[]): BoundPredicate => ({
  kind: 'equals',
  path: typePath,
  values: classes.map(toStoredClass),
  ignoreCase: false,
});

function toStoredSteps(
  [step, ...rest]: readonly PathStep[],
  members: RenamedMembers | undefined,
): readonly PathStep[] {
  if (!step) return [];
  const member = members?.byName.get(step.name);
  const inner = member?.content === 'reference' ? undefined : member?.content;
  return [{ ...step, name: member?.storedName ?? step.name }, ...toStoredSteps(rest, inner)];
}

/** Finds the first field of a path that has a default. Inside the items of a list there is none. */
function findFallback(
  present: readonly PathStep[],
  stored: { readonly steps: readonly PathStep[]; readonly members: RenamedMembers | undefined },
): Fallback | undefined {
  let { members } = stored;
  let parentMissing: BoundPredicate | undefined;
  for (const [index, step] of present.entries()) {
    const member = members?.byName.get(step.name);
    if (member === undefined) return undefined;
    const missing = lacks(stored.steps.slice(0, index + 1), member.type);
    if (member.fallback !== undefined) {
      const names = present.slice(0, index + 1).map(({ name }) => name);
      const absent = parentMissing ? allOf([negate(parentMissing), missing]) : missing;
      return { absent, members: nest(names, member.fallback) };
    }
    if (step.list || member.content === 'reference') return undefined;
    parentMissing = missing;
    members = member.content;
  }
  return undefined;
}

/** Holds for assets that lack a field. */
const lacks = (steps: readonly PathStep[], leaf: ValueType): BoundPredicate => ({
  kind: 'missing',
  path: { text: steps.map(({ name }) => name).join('.'), steps, leaf },
});

function nest([name, ...rest]: readonly string[], value: Json): JsonObject {
  if (name === undefined) return {};
  return { [name]: rest.length === 0 ? value : nest(rest, value) };
}
