/**
 * Groups comparisons of fields of referenced assets, so that one search of these assets serves all alternatives of a predicate.
 */
import type { FieldPath } from '../model/field-path.ts';
import type { BoundPredicate } from '../query/ast.ts';
import { anyOf } from '../query/build-comparison.ts';

/** A condition that holds when a reference points to an asset of `targets` that matches `where`. */
export interface FollowedSearch {
  /** The path to the reference. */
  readonly path: FieldPath;
  readonly targets: readonly string[];
  readonly where: BoundPredicate;
}

/**
 * Returns the search that a comparison through a reference stands for; `undefined` for any other predicate. An asset that lacks the
 * reference also lacks the field, so `missing` is no such search.
 */
export function toFollowed(predicate: BoundPredicate): FollowedSearch | undefined {
  if (!('path' in predicate) || predicate.kind === 'missing' || !predicate.path.through) return undefined;
  const { path } = predicate;
  const { targets, path: rest } = predicate.path.through;
  return { path, targets, where: { ...predicate, path: rest } };
}

/** Splits alternatives into one search for each reference that they follow, and the other terms. */
export function groupFollowed(terms: readonly BoundPredicate[]): {
  readonly followed: readonly FollowedSearch[];
  readonly rest: readonly BoundPredicate[];
} {
  const groups = new Map<string, FollowedSearch[]>();
  const rest: BoundPredicate[] = [];
  for (const term of terms) {
    const search = toFollowed(term);
    if (!search) {
      rest.push(term);
      continue;
    }
    const key = JSON.stringify([search.path.steps, search.targets]);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(search);
  }
  const followed = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, where: anyOf(group.map(({ where }) => where)) }] : [];
  });
  return { followed, rest };
}
