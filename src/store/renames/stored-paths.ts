/**
 * Finds where the values of a path of the present types are stored.
 *
 * A path may be stored differently in two types of one query, or in two targets of a reference. Where an asset lacks a required field
 * with a default, the path has the default as its value.
 */
import type { Json, JsonObject, ValueType } from '../../model/content-type.ts';
import type { FieldPath, PathStep } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf, negate } from '../../query/build-comparison.ts';
import type { RenamedMembers } from './renamed-members.ts';
import type { Renames } from './renames.ts';

/** The types of a query, by present class name, in which a path is stored in the same way. */
export interface StoredPaths {
  readonly classes: readonly string[];
  /** Several only for a path through a reference, when it is stored differently in the targets. */
  readonly ends: readonly StoredEnd[];
}

/** A stored path. */
export interface StoredEnd {
  readonly path: FieldPath;
  /** Present when assets may lack a field of the path that has a default. */
  readonly fallback?: Fallback;
}

/** The default of a field of a path. */
export interface Fallback {
  /** Holds, on stored names, for the assets that lack the field. */
  readonly absent: BoundPredicate;
  /** The members, by present names, that such an asset has instead. */
  readonly members: JsonObject;
}

/** Groups types by how a path is stored in them. */
export function groupByStorage(
  renames: Renames,
  classes: readonly string[],
  path: FieldPath,
): readonly StoredPaths[] {
  const groups = new Map<string, StoredPaths>();
  for (const name of classes) {
    const members = renames.types.get(name)?.members;
    const steps = toStoredSteps(path.steps, members);
    const fallback = path.through ? undefined : findFallback(path.steps, { steps, members });
    const key = JSON.stringify([steps.map((step) => step.name), fallback?.members]);
    const group = groups.get(key);
    const ends = group?.ends ?? toEnds(renames, path, { steps, fallback });
    groups.set(key, { classes: [...(group?.classes ?? []), name], ends });
  }
  return [...groups.values()];
}

/** Finds the end of a path that may go through references, and the classes of the assets that have its last field. */
export function endOf(
  path: FieldPath,
  classes: readonly string[],
): { readonly path: FieldPath; readonly classes: readonly string[] } {
  return path.through ? endOf(path.through.path, path.through.targets) : { path, classes };
}

/** The path of the class name of assets. */
const typePath: FieldPath = {
  text: '_type',
  steps: [{ name: '_type', list: false }],
  leaf: { kind: 'type' },
};

/** Holds for the assets of some present classes. */
export const isOneOf = ({ toStoredClass }: Renames, classes: readonly string[]): BoundPredicate => ({
  kind: 'equals',
  path: typePath,
  values: classes.map(toStoredClass),
  ignoreCase: false,
});

interface StoredSteps {
  readonly steps: readonly PathStep[];
  readonly fallback: Fallback | undefined;
}

function toEnds(renames: Renames, path: FieldPath, { steps, fallback }: StoredSteps): readonly StoredEnd[] {
  if (!path.through) {
    // The index of a store knows a path by its text.
    const text = steps.map(({ name }) => name).join('.');
    return [{ path: { ...path, steps, text }, ...(fallback && { fallback }) }];
  }
  const { targets, path: rest } = path.through;
  return groupByStorage(renames, targets, rest).flatMap(({ classes, ends }) => {
    const stored = classes.map(renames.toStoredClass);
    const follow = (inner: FieldPath) => ({ ...path, steps, through: { targets: stored, path: inner } });
    return ends.map((end) => ({
      path: follow(end.path),
      ...(end.fallback && {
        fallback: followed(end.fallback, { follow, exists: isOneOf(renames, classes) }),
      }),
    }));
  });
}

/** The fallback of a path through a reference: the target must exist, and lack the field. */
function followed(
  { absent, members }: Fallback,
  { follow, exists }: { follow: (path: FieldPath) => FieldPath; exists: BoundPredicate },
): Fallback {
  return { members, absent: allOf([mapPaths(exists, follow), mapPaths(absent, follow)]) };
}

function mapPaths(predicate: BoundPredicate, convert: (path: FieldPath) => FieldPath): BoundPredicate {
  switch (predicate.kind) {
    case 'constant':
      return predicate;
    case 'and':
    case 'or':
      return { ...predicate, terms: predicate.terms.map((term) => mapPaths(term, convert)) };
    case 'not':
      return { kind: 'not', term: mapPaths(predicate.term, convert) };
    default:
      return { ...predicate, path: convert(predicate.path) };
  }
}

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
  let around: BoundPredicate | undefined;
  for (const [index, step] of present.entries()) {
    const member = members?.byName.get(step.name);
    if (member === undefined) return undefined;
    const missing = lacks(stored.steps.slice(0, index + 1), member.type);
    if (member.fallback !== undefined) {
      const names = present.slice(0, index + 1).map(({ name }) => name);
      const absent = around ? allOf([negate(around), missing]) : missing;
      return { absent, members: nest(names, member.fallback) };
    }
    if (step.list || member.content === 'reference') return undefined;
    around = missing;
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
