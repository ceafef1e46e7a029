/**
 * The difference between two texts, word by word, with long equal stretches shortened.
 */
import { diffWordsWithSpace } from 'diff';

/** A part of both texts or of one. A `gap` stands for equal text that is left out. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

/** How much equal text stays around a difference. */
const contextLength = 80;

/** How many words may be removed and added before two texts count as entirely different, which keeps the comparison quick. */
const maxEdits = 700;

/** The shorter of two texts must share one part in so many with the other one, otherwise they count as entirely different. */
const minShared = 3;

/** A part of both texts or of one. */
interface Words {
  readonly kind: Exclude<TextPart['kind'], 'gap'>;
  readonly text: string;
}

/** Compares two texts; one equal part when they are equal. */
export function compareText(before: string, after: string): TextPart[] {
  const words = compareWords(before, after);
  return words.flatMap(({ kind, text }, index): TextPart[] =>
    kind === 'same'
      ? shorten(text, { isFirst: index === 0, isLast: index === words.length - 1 })
      : [{ kind, text }],
  );
}

/** Compares two texts and leaves nothing out. Texts that share little are one removed and one added part. */
export function compareWords(before: string, after: string): Words[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: maxEdits });
  const shared = changes?.filter(({ added, removed }) => !added && !removed) ?? [];
  const sharedLength = shared.reduce((sum, { value }) => sum + value.trim().length, 0);
  // Single words of two other sentences, mixed with each other, cannot be read.
  if (!changes || minShared * sharedLength < Math.min(before.length, after.length)) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  }
  return changes.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

/** Nothing differs before the first part or after the last, so no context is needed there. */
function shorten(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): TextPart[] {
  const head = isFirst ? '' : upToWord(text.slice(0, contextLength));
  const tail = isLast ? '' : fromWord(text.slice(-contextLength));
  if (head.length + tail.length + contextLength > text.length) return [{ kind: 'same', text }];
  const gap = text.slice(head.length, text.length - tail.length);
  const parts: TextPart[] = [
    { kind: 'same', text: head },
    { kind: 'gap', text: gap },
    { kind: 'same', text: tail },
  ];
  return parts.filter(({ text }) => text !== '');
}

/** Cuts a text after its last blank, so that it does not end within a word. */
function upToWord(text: string): string {
  const end = text.search(/\s\S*$/);
  return end === -1 ? text : text.slice(0, end + 1);
}

/** Cuts a text before its first blank. */
function fromWord(text: string): string {
  const start = text.search(/\s/);
  return start === -1 ? text : text.slice(start);
}
