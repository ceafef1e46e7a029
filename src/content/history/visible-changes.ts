/**
 * Which changes of an asset a caller sees: those of content types of the catalog and, for a caller restricted to certain sites, those
 * whose state before or after lay in its sites. Former values belong to the state before, and are seen with that state only.
 */
import type { Asset, Catalog } from '../../model/content-type.ts';
import { type ChangeEntry, undoChange } from '../../store/changes.ts';
import type { ContentStore } from '../../store/port.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';

/** Leaves out, of consecutive entries of one asset, newest first, what the caller does not see. */
export type ChangeView = (entries: readonly ChangeEntry[], caller: Caller) => Promise<readonly ChangeEntry[]>;

/** Creates the view for one catalog. */
export function createChangeView({ catalog, store }: { catalog: Catalog; store: ContentStore }): ChangeView {
  async function findStateAfter({ asset, number }: ChangeEntry): Promise<Asset | undefined> {
    const state = await store.changes.stateOf(asset, { number });
    return state.kind === 'exists' ? state.asset : undefined;
  }

  return async (entries, caller) => {
    const known = entries.filter(({ type }) => catalog.types.has(type));
    const [newest] = known;
    if (!newest || !caller.sites) return known;
    return withinSites(known, { after: await findStateAfter(newest), caller });
  };
}

/** Leaves out what lies in other sites. `after` is the state after the first entry. */
function withinSites(
  entries: readonly ChangeEntry[],
  { after: newest, caller }: { after: Asset | undefined; caller: Caller },
): ChangeEntry[] {
  const isSeen = (state: Asset | undefined) => state !== undefined && isVisible(state, caller);
  let after = newest;
  return entries.flatMap((entry) => {
    const wasAfter = after;
    // The state is unknown when the log is trimmed meanwhile.
    after = after === undefined && entry.action === 'update' ? undefined : undoChange(after, entry);
    if (isSeen(after)) return [entry];
    const { before: _, ...hidden } = entry;
    return isSeen(wasAfter) ? [hidden] : [];
  });
}
