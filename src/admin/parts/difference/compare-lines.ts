/**
 * The difference between two texts, line by line, with long stretches that both share folded away.
 */
import { diffLines } from 'diff';

/** A line of one text or of both. */
export interface ComparedLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Lines to show, or how many equal ones stand there. */
export type Stretch = { readonly lines: readonly ComparedLine[] } | { readonly folded: number };

/** How many equal lines stay around a difference. */
const context = 3;

/** How many lines may be removed and added before two texts count as entirely different, which keeps the comparison quick. */
const maxEdits = 1000;

/** Compares two texts; no stretches when they are equal. */
export function compareLines(before: string, after: string): Stretch[] {
  if (before === after) return [];
  const changes = diffLines(before, after, { maxEditLength: maxEdits }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
  return changes.flatMap(({ value, added, removed }, index): Stretch[] => {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    const lines = value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ kind, text }) as const);
    if (kind !== 'same') return [{ lines }];
    return fold(lines, { isFirst: index === 0, isLast: index === changes.length - 1 });
  });
}

/** Nothing differs before the first stretch or after the last, so no context is needed there. */
function fold(
  lines: readonly ComparedLine[],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): Stretch[] {
  const head = isFirst ? 0 : context;
  const tail = isLast ? 0 : context;
  const folded = lines.length - head - tail;
  if (folded < 2) return [{ lines }];
  const shown = [{ lines: lines.slice(0, head) }, { folded }, { lines: lines.slice(lines.length - tail) }];
  return shown.filter((stretch) => stretch.lines?.length !== 0);
}
