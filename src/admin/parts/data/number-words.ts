/**
 * Writes numbers for people.
 */

/** A number with its noun, such as `1,200 changes`. */
export function countOf(count: number, noun: string): string {
  return `${new Intl.NumberFormat().format(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** A number, such as `1,200`. */
export const formatNumber = (number: number) => new Intl.NumberFormat().format(number);

/** A duration, such as `2.4 ms` or `1.2 s`. */
export function formatDuration(ms: number): string {
  const [value, unit] = ms < 1000 ? [ms, 'ms'] : [ms / 1000, 's'];
  return `${new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 }).format(value)} ${unit}`;
}
