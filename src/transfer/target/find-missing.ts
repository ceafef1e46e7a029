/**
 * Checks by queries whether the targets of references exist, many at once.
 */
import type { ContentTarget, Targets } from './content-target.ts';

/** Finds the targets that do not exist. Counts them first: usually all exist, and a count transfers no assets. */
export async function findMissing(
  { count, page }: Pick<ContentTarget, 'count' | 'page'>,
  { type, refs }: Targets,
): Promise<readonly string[]> {
  const selection = { from: type, where: `_id in [${refs.map((ref) => `'${ref}'`).join(', ')}]` };
  const found = await count(selection);
  if (found === refs.length) return [];
  if (found === 0) return refs;
  const there = new Set((await page(selection, refs.length)).map(({ _id }) => _id));
  return refs.filter((ref) => !there.has(ref));
}
