/**
 * Finds writes of others in the change log of a store that a mirror fills.
 */
import type { ChangeEntry } from '../../store/changes.ts';
import type { ContentStore } from '../../store/port.ts';

/** Everyone who writes content, except mirrors, which write in the name of the system. */
const kinds = ['client', 'user', 'anonymous', 'command'] as const;

/** Erasing is allowed: the source has deleted the asset, and the target keeps its history until it is erased there, too. */
const actions = ['create', 'update', 'delete'] as const;

/** Finds an entry of somebody else about assets of these types after `from`, and the last entry that was looked at. */
export async function findForeignEntry(
  { changes }: ContentStore,
  { types, from }: { types: readonly string[]; from: number },
): Promise<{ readonly foreign?: ChangeEntry; readonly last: number }> {
  const last = await changes.settle();
  for (const kind of kinds) {
    for (let at: number | undefined = from; at !== undefined && at < last; ) {
      const filter = { types, actions, by: { kind } };
      const page = await changes.read({ order: 'oldest first', from: at, limit: 1, filter });
      const [foreign] = page.entries;
      if (foreign) return { foreign, last };
      at = page.next;
    }
  }
  return { last };
}
