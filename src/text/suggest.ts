/**
 * Suggests known words that are similar to an unknown one.
 */

/** The end of a message that says what may have been meant, empty when nothing comes near; `said` are readings of one mistake. */
export function suggest(said: readonly string[], known: readonly string[], most = 3): string {
  const near = said
    .flatMap((word) => known.map((name) => ({ name, distance: distanceOf(word, name) })))
    .filter(({ distance }) => distance !== undefined)
    .sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0));
  const names = [...new Set(near.map(({ name }) => name))].slice(0, most);
  return names.length > 0 ? `; did you mean ${names.join(' or ')}?` : '';
}

/** How far apart two words are, when it is near enough for a slip or for an abbreviation. */
function distanceOf(said: string, name: string): number | undefined {
  const [a, b] = [said, name].map((text) => text.toLowerCase().replace(/^-+/, '')) as [string, string];
  // Of a class name the last part may be all that was written.
  const distance = Math.min(countEdits(a, b), countEdits(a, b.slice(b.lastIndexOf('.') + 1)));
  if (distance <= Math.ceil(a.length / 4)) return distance;
  return a.length > 1 && b.startsWith(a) ? b.length : undefined;
}

/** How many characters to insert, remove, replace or swap with their neighbour. */
function countEdits(a: string, b: string): number {
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
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
