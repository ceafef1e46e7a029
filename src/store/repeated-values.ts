/**
 * Says why an index cannot keep values unique.
 */

/** How many of the assets that have one value are named. */
export const shownHolders = 5;

/** Returns the message about a value that several assets have; `ids` are those of the first ones, at most `shownHolders`. */
export function repeatedValues({
  count,
  value,
  ids,
}: {
  readonly count: number;
  readonly value: string;
  readonly ids: readonly string[];
}): string {
  const more = count > ids.length ? `, and ${count - ids.length} more` : '';
  return `cannot become unique: ${count} assets have ${JSON.stringify(value)}: ${ids.join(', ')}${more}`;
}
