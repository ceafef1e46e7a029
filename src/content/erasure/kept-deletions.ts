/**
 * Tells whether the change log keeps former states of deleted assets, which were deleted before deletions erased.
 */
import type { ContentStore } from '../../store/port.ts';

/** How many pages of the log are looked through. */
const maxPages = 50;
const entriesAtOnce = 100;

/** Looks through the newest part of the log. `isContent` tells the class names of content. A store without a log keeps nothing. */
export async function hasKeptDeletions(
  { capabilities, changes }: Pick<ContentStore, 'capabilities' | 'changes'>,
  isContent: (type: string) => boolean,
): Promise<boolean> {
  if (!capabilities.changes) return false;
  for (let page = 0, from: number | undefined; page < maxPages; page++) {
    const request = { order: 'newest first', limit: entriesAtOnce, filter: { actions: ['delete'] } } as const;
    const { entries, next } = await changes.read({ ...request, ...(from !== undefined && { from }) });
    if (entries.some(({ type }) => isContent(type))) return true;
    if (next === undefined) return false;
    from = next;
  }
  return false;
}
