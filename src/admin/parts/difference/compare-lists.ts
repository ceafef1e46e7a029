/**
 * Finds which items of a list were added, removed or changed.
 */
import { diffArrays } from 'diff';
import { isSameValue } from './same-value.ts';

/** An item that differs, or several equal ones. `position` counts from 1: in the new list, of a removed item in the old one. */
export type ItemChange =
  | { readonly kind: 'same'; readonly count: number }
  | { readonly kind: 'added'; readonly position: number; readonly after: unknown }
  | { readonly kind: 'removed'; readonly position: number; readonly before: unknown }
  | {
      readonly kind: 'changed';
      readonly position: number;
      readonly before: unknown;
      readonly after: unknown;
    };

/** How many items may be removed and added before two lists count as entirely different, which keeps the comparison quick. */
const maxEdits = 500;

/** Compares two lists. Items that were replaced in the same place are `changed`. */
export function compareLists(before: readonly unknown[], after: readonly unknown[]): ItemChange[] {
  const steps = diffArrays([...before], [...after], { comparator: isSameValue, maxEditLength: maxEdits }) ?? [
    { value: [...before], added: false, removed: true },
    { value: [...after], added: true, removed: false },
  ];
  const changes: ItemChange[] = [];
  let [old, now] = [0, 0];
  for (const [index, { value, added, removed }] of steps.entries()) {
    const previous = steps[index - 1];
    if (added) {
      // A removal before it has been listed already, together with what takes its place.
      const replaced = previous?.removed ? previous.value.length : 0;
      changes.push(...value.slice(replaced).map((item, at) => toAdded(item, now + replaced + at + 1)));
      now += value.length;
    } else if (removed) {
      const next = steps[index + 1];
      changes.push(...toReplaced(value, { by: next?.added ? next.value : [], old, now }));
      old += value.length;
    } else {
      changes.push({ kind: 'same', count: value.length });
      old += value.length;
      now += value.length;
    }
  }
  return changes;
}

const toAdded = (after: unknown, position: number): ItemChange => ({ kind: 'added', position, after });

/** Lists removed items, those as changed that an added one replaces; `old` and `now` are the numbers of items before them. */
function toReplaced(
  removed: readonly unknown[],
  { by, old, now }: { by: readonly unknown[]; old: number; now: number },
): ItemChange[] {
  return removed.map((before, index) =>
    index < by.length
      ? { kind: 'changed', position: now + index + 1, before, after: by[index] }
      : { kind: 'removed', position: old + index + 1, before },
  );
}
