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
import type { RenamedKind, RenamedMembers } from './renamed-members.ts';
import type { Renames } from './renames.ts';

/** What paths begin at: the assets of some classes, by present name, or embedded values, which stand for one class. */
export interface StoredRoot {
  readonly classes: readonly string[];
  readonly membersOf: (className: string) => RenamedMembers | undefined;
}

/** The types of a query, by present class name, in which a path is stored in the same way. */
export interface StoredPaths {
  readonly classes: readonly string[];
  readonly end: StoredEnd;
}

/** A stored path. */
export interface StoredEnd {
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
export function groupByStorage({ classes, membersOf }: StoredRoot, path: FieldPath): readonly StoredPaths[] {
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
export function membersAt(path: FieldPath, members: RenamedMembers | undefined): RenamedMembers | undefined {
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
export const isOneOf = ({ toStoredClass }: Renames, classes: readonly string[]): BoundPredicate => ({
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
