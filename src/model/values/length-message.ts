/**
 * The message for texts and lists that are too short.
 */

/** Words the problem of a text or list with fewer than `least` characters or items. */
export function lengthMessage(least: number, unit: 'characters' | 'items'): string {
  return least === 1 ? 'must not be empty' : `must have at least ${least} ${unit}`;
}
