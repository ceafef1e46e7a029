/**
 * Finds misspelled settings among the environment variables.
 */
import type { Problem } from '../../base/problems.ts';
import { suggest } from '../../text/suggest.ts';

/** Returns a problem for each name that only looks like a setting. */
export function findUnknown(names: readonly string[], known: readonly string[]): Problem[] {
  return names
    .filter((name) => name.startsWith('COLOPHON_') && !name.startsWith('COLOPHON_TEST_'))
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: name, message: `is not a setting of Colophon${suggest([name], known, 1)}` }));
}
