/**
 * Chooses which index in the order of a page to walk.
 */
import type { RunQuery } from '../../connection.ts';
import type { StoredType, StoredTypes } from '../../indexes/stored-types.ts';
import { compileWalkEnd, type Walk } from './index-walk.ts';

/** After so many entries of each index it is compared how far they lead. */
export const probedEntries = 100;

/**
 * Chooses the index with the fewest entries where the page begins: the one whose first entries lead furthest. The number of all its
 * entries would cost more to find than most pages.
 */
export function chooseWalk(
  all: RunQuery,
  walks: readonly Walk[],
  { type, types }: { readonly type: StoredType; readonly types: StoredTypes },
): Walk | undefined {
  // The index of the type by `id` has the entries of all others.
  const ofFields = walks.filter(({ path }) => path);
  if (ofFields.length < 2) return ofFields[0] ?? walks[0];
  const ends = ofFields.map((walk) => {
    const ofId = walk.sort.findIndex(({ path }) => path.leaf.kind === 'id');
    const [end] = all(compileWalkEnd(walk, { type, types, visited: probedEntries }));
    return { walk, end: end?.[ofId], isDescending: walk.sort[ofId]?.descending === true };
  });
  return ends.reduce((best, other) => (leadsFurther(other, best) ? other : best)).walk;
}

interface WalkEnd {
  /** The identifier of the last entry that was probed; absent when there are fewer. */
  readonly end: unknown;
  readonly isDescending: boolean;
}

function leadsFurther({ end, isDescending }: WalkEnd, { end: other }: WalkEnd): boolean {
  if (other === undefined || end === undefined) return end === undefined && other !== undefined;
  return isDescending ? String(end) < String(other) : String(end) > String(other);
}
