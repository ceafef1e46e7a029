/**
 * Looks up targets of references, many at once.
 */

import type { Targets } from './dangling-table.ts';
import type { ContentDoor } from './door.ts';

/** Those of the targets that are not there. As most often all are, they are counted first, which costs no assets. */
export async function findMissing(door: ContentDoor, { type, refs }: Targets): Promise<string[]> {
  const selection = { from: type, where: `_id in [${refs.map((ref) => `'${ref}'`).join(', ')}]` };
  const count = await door.count(selection);
  if (count === refs.length) return [];
  if (count === 0) return [...refs];
  const there = new Set((await door.page(selection, refs.length)).map(({ _id }) => _id));
  return refs.filter((ref) => !there.has(ref));
}
