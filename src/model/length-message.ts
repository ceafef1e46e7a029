/**
 * How a value that is too short is told so.
 */

/** What is wrong with a text or a list that has fewer than `least` characters or items. */
export function tooFew(least: number, unit: 'characters' | 'items'): string {
  return least === 1 ? 'must not be empty' : `must have at least ${least} ${unit}`;
}
