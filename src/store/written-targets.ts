/**
 * The targets of references that a write has found to exist. A store refuses the write if its type has references that keep what they name
 * from being deleted, and one of the targets is gone: otherwise a deletion right before the write would pass beside it.
 */
import type { Problem } from '../base/errors.ts';

/** The target of a reference, by the path of the reference in the asset. */
export interface WrittenTarget {
  readonly id: string;
  readonly path: string;
}

/** How many assets a store finds that keep another one from being deleted. */
export const maxReferrers = 1_000;

export const targetGone = ({ id, path }: WrittenTarget): Problem => ({
  path,
  message: `refers to ${id}, which does not exist`,
});
