/**
 * When values of a field are odd ones, which are left out, rather than a sign that the field takes any value.
 */

import { joinKinds, type ValueKind } from './value-kinds.ts';

/** The most odd values of a field. */
export const maxOdd = 10;

/** Whether so many values of a field are few beside all its values: at most ten of them, and at most one percent, or a single one of three or more. */
export const isFew = (count: number, all: number): boolean =>
  count <= maxOdd && (count === 1 ? all >= 3 : count * 100 <= all);

/** Leaves the rarest of some counted things out, as long as they are few together, until the others fit each other; all of them where none do. */
export function withoutOdd<Thing>(
  counts: ReadonlyMap<Thing, number>,
  doFit: (things: ReadonlySet<Thing>) => boolean,
): ReadonlySet<Thing> {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const kept = new Map([...counts].sort(([, one], [, other]) => other - one));
  let left = 0;
  while (!doFit(new Set(kept.keys()))) {
    const [rarest, count = 0] = [...kept].at(-1) ?? [];
    left += count;
    if (rarest === undefined || kept.size === 1 || !isFew(left, all)) return new Set(counts.keys());
    kept.delete(rarest);
  }
  return new Set([...counts.keys()].filter((thing) => kept.has(thing)));
}

/** The kinds of a field without those of its odd values. */
export const kindsWithoutOdd = (counts: ReadonlyMap<ValueKind, number>): ReadonlySet<ValueKind> => {
  const present = new Map([...counts].filter(([kind]) => kind !== 'null'));
  return withoutOdd(present, (kinds) => joinKinds(kinds) !== 'mixed');
};
