/**
 * Erases an asset: deletes it with its whole history, so that the store contains none of its values any more. What remains is one
 * entry of the log, which says that it was erased.
 */
import { notFound, preconditionFailed } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { ContentStore, StoredAsset } from '../../store/port.ts';
import type { StoredDraft } from '../drafts/draft-record.ts';
import { readDraftsOf } from '../drafts/draft-source.ts';
import { createDraftEraser } from '../erasure/erase-drafts.ts';
import { createFreshIds, type PreAssignedIds } from '../pre-assigned-ids.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';
import { recallEarlier } from '../recall-change.ts';
import type { Written } from '../written-asset.ts';
import { toAssetId } from './read-history.ts';
import { createChangeView } from './visible-changes.ts';

/** Which asset to erase. */
export interface Erasure {
  readonly id: string;
  readonly ifVersions?: readonly string[];
  /** Removes copies that are kept outside the asset and its history. Runs once it is known that the caller may erase the asset. */
  eraseCopies(id: string): Promise<void>;
  /** The pre-assigned IDs of a request that may run again. */
  readonly reserved?: PreAssignedIds;
}

/**
 * Erases an asset, which may be deleted already; returns the entry that remains. A caller restricted to sites must see
 * its present or last state. Errors: not_found, precondition_failed, not_supported, store_busy.
 */
export type AssetEraser = (erasure: Erasure, caller: Caller) => Promise<Written>;

/** Creates the function that erases assets of one catalog. */
export function createAssetEraser({
  catalog,
  store,
  clock,
  ids,
}: {
  catalog: Catalog;
  store: ContentStore;
  clock: Clock;
  ids: IdSource;
}): AssetEraser {
  const drafts = createDraftEraser({ store, clock, ids });
  const view = createChangeView({ catalog, store });

  /** Erases all drafts of an asset; returns whether there were any. */
  async function eraseDrafts(id: string): Promise<boolean> {
    const hadDrafts = await drafts.erasePresent(id);
    return (await drafts.eraseDropped(new Set([id]))) || hadDrafts;
  }

  /** Finds the type of an asset that the caller may erase; `undefined` when there is none. */
  async function findType(id: string, present: StoredAsset | undefined, caller: Caller) {
    if (present) return isVisible(present.asset, caller) ? present.asset._type : undefined;
    const { entries } = await store.changes.history({ asset: id, limit: 1 });
    return (await view(entries, caller))[0]?.type;
  }

  /** Erases the drafts of an asset that was never live. No entry remains, since the log has none of the asset. */
  async function eraseDraftsOnly(
    {
      id,
      text,
      ifVersions,
      eraseCopies,
      reserved,
    }: Required<Omit<Erasure, 'ifVersions'>> & {
      readonly text: string;
      readonly ifVersions: Erasure['ifVersions'];
    },
    caller: Caller,
  ): Promise<Written> {
    const drafts = await readDraftsOf(store, id);
    const isSeen = ({ record: { set } }: StoredDraft) => isVisible(set, caller);
    // Whose the drafts were that are gone is not known.
    if (!drafts.every(isSeen) || (caller.sites && drafts.length === 0)) throw notFound(text);
    if (ifVersions) throw preconditionFailed(id);
    await reserved.assertCurrent();
    await eraseCopies(id);
    if (!(await eraseDrafts(id)) && reserved.run !== 'repeat') throw notFound(text);
    await store.changes.purge();
    return {};
  }

  const fresh = createFreshIds(ids);
  return async ({ id: text, ifVersions, eraseCopies, reserved = fresh }, caller) => {
    const id = toAssetId(text);
    // A store without a log refuses here, before anything is deleted.
    await store.changes.position();
    const own = await recallEarlier(store, { id, reserved });
    if (own?.action === 'erase') return { change: own.id };
    const present = await store.get(id);
    const type = await findType(id, present, caller);
    if (type === undefined) return eraseDraftsOnly({ id, text, ifVersions, eraseCopies, reserved }, caller);
    if (!catalog.types.has(type)) throw notFound(text);
    await reserved.assertCurrent();
    const newChange = () => reserved.of(0).version('deleted');
    // If an earlier run of the request has deleted the asset, its condition was met.
    const isMet = own !== undefined && !present;
    if (ifVersions && !isMet) await deleteIf(store, { id, present, ifVersions, change: newChange() });
    await eraseCopies(id);
    await eraseDrafts(id);
    const change = newChange();
    if (!(await store.changes.erase({ id, type, change, purge: 'later' }))) throw notFound(text);
    // Somebody may have drafted a change meanwhile.
    await eraseDrafts(id);
    await store.changes.purge();
    return { change };
  };
}

/** Deletes the asset if it has one of the versions, since erasing has no condition. Errors: precondition_failed. */
async function deleteIf(
  store: ContentStore,
  {
    id,
    present,
    ifVersions,
    change,
  }: { id: string; present: StoredAsset | undefined; ifVersions: readonly string[]; change: string },
): Promise<void> {
  if (!present || !ifVersions.includes(present.version)) throw preconditionFailed(id);
  const deletion = { id, type: present.asset._type, ifVersion: present.version, change };
  if (!(await store.delete(deletion))) throw preconditionFailed(id);
}
