/**
 * Finds out what a request that runs again has written earlier, by the change log.
 */
import type { ContentStore } from '../store/port.ts';
import type { PreAssignedIds } from './pre-assigned-ids.ts';

/** The number of latest entries that are searched; others may have changed the asset since. */
const searchedEntries = 20;

/**
 * Finds the entry of a write of the request among the latest changes of an asset, and returns its `id`. `index` is that of the
 * write in the request.
 */
export async function recallChange(
  store: ContentStore,
  { id, index, reserved }: { id: string; index: number; reserved: PreAssignedIds },
): Promise<string | undefined> {
  if (reserved.run === 'only' || !store.capabilities.changes) return undefined;
  const { entries } = await store.changes.history({ asset: id, limit: searchedEntries });
  return entries.find((entry) => reserved.findWriter(entry.id)?.index === index)?.id;
}
