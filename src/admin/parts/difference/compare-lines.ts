/**
 * The difference between two texts, line by line, with long stretches that both share folded away. Lines that replace others have the
 * words that differ.
 */
import { diffLines } from 'diff';
import { compareWords } from './compare-text.ts';

/** A line of one text or of both. */
export interface ComparedLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** The text in parts, where only a part of it differs. */
  readonly parts?: readonly LinePart[];
}

/** A part of a line. */
export interface LinePart {
  readonly isChanged: boolean;
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
    const lines = linesOf(value);
    if (removed) return [{ lines: markWords('removed', lines, linesOf(changes[index + 1], 'added')) }];
    if (added) return [{ lines: markWords('added', lines, linesOf(changes[index - 1], 'removed')) }];
    const same = lines.map((text) => ({ kind: 'same', text }) as const);
    return fold(same, { isFirst: index === 0, isLast: index === changes.length - 1 });
  });
}

/** The lines of a change; none unless it is of the kind. */
function linesOf(
  change: { value: string; added: boolean; removed: boolean } | string | undefined,
  kind?: 'added' | 'removed',
): string[] {
  if (change === undefined || (typeof change !== 'string' && kind && !change[kind])) return [];
  return (typeof change === 'string' ? change : change.value).replace(/\n$/, '').split('\n');
}

/** Marks the words of lines that the lines in their place do not have; none where they have little in common. */
function markWords(
  kind: 'added' | 'removed',
  lines: readonly string[],
  others: readonly string[],
): ComparedLine[] {
  const [own, other] = [lines.join('\n'), others.join('\n')];
  const words = kind === 'removed' ? compareWords(own, other) : compareWords(other, own);
  if (others.length === 0 || words.every((part) => part.kind !== 'same'))
    return lines.map((text) => ({ kind, text }));
  const parts: LinePart[][] = [[]];
  for (const part of words.filter((one) => one.kind === 'same' || one.kind === kind))
    for (const [index, text] of part.text.split('\n').entries()) {
      if (index > 0) parts.push([]);
      if (text !== '') parts.at(-1)?.push({ isChanged: part.kind === kind, text });
    }
  return lines.map((text, index) => ({ kind, text, ...(parts[index] && { parts: parts[index] }) }));
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
