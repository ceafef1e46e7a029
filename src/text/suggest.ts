/**
 * Suggests known words that are similar to an unknown one. The work is bounded: a long text gets no suggestion, and a word that differs
 * too much is given up early.
 */

/** The end of a message that says what may have been meant, empty when nothing comes near; `said` are readings of one mistake. */
export function suggest(said: readonly string[], known: Iterable<string>, most = 3): string {
  const words = said.filter((word) => word.length <= maxLength);
  const all = [...known];
  const near = words
    .flatMap((word) => all.map((name) => ({ name, distance: distanceOf(word, name) })))
    .filter(({ distance }) => distance < tooFar)
    .sort((a, b) => a.distance - b.distance);
  const names = [...new Set(near.map(({ name }) => JSON.stringify(name)))].slice(0, most);
  return names.length > 0 ? `. Did you mean ${names.join(' or ')}?` : '';
}

/** Removes a suggestion from the end of a message. */
export const withoutSuggestion = (message: string) => message.replace(/\. Did you mean "[^?]*\?$/, '');

/** No name that people type is longer. */
const maxLength = 64;
const tooFar = Number.POSITIVE_INFINITY;

/** How far apart two words are, when it is near enough for a slip or for an abbreviation. */
function distanceOf(said: string, name: string): number {
  const [a, b] = [said, name].map((text) => text.toLowerCase().replace(/^-+/, '')) as [string, string];
  const limit = Math.floor((a.length + 1) / 4);
  // Of a class name the last part may be all that was written.
  const distance = Math.min(countEdits(a, b, limit), countEdits(a, b.slice(b.lastIndexOf('.') + 1), limit));
  if (distance < tooFar) return distance;
  return a.length > 1 && b.startsWith(a) ? b.length : tooFar;
}

/** How many characters to insert, remove, replace or swap with their neighbour, up to a limit. */
function countEdits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return tooFar;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : tooFar,
      );
    }
    if (Math.min(...row) > limit) return tooFar;
    [before, last] = [last, row];
  }
  const edits = last[b.length] ?? 0;
  return edits <= limit ? edits : tooFar;
}
