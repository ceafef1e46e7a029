/**
 * Erases assets, their drafts and their history, so that the store contains none of their values any more. What remains of each is one
 * entry of the log, which says that it was erased. `erasure-sweep.ts` removes what lies outside the store's step.
 */

import { notFound, preconditionFailed } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { AssetDeletion, ContentStore, StoredAsset } from '../../store/port.ts';
import { createDraftPlan } from '../drafts/change-draft.ts';
import { draftClass, draftId, releaseId, type StoredDraft } from '../drafts/draft.ts';
import { findDrafts, readDraftsOf } from '../drafts/draft-source.ts';
import { createChangeView, toAssetId } from '../history/read-history.ts';
import { untilWritten, writePlanned } from '../planned-writes.ts';
import { createFreshIds, type PreAssignedIds } from '../pre-assigned-ids.ts';
import type { Written } from '../prepare-write.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';
import { recallEarlier } from '../recall-change.ts';
import { createReferrerSearch, nameReferrers } from '../restricting-references.ts';

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
 * its present or last state. Errors: not_found, referenced, precondition_failed, not_supported, store_busy.
 */
export type AssetEraser = (erasure: Erasure, caller: Caller) => Promise<Written>;

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
  const referrers = createReferrerSearch({ catalog, store });

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
    const kept = present && (await referrers.find({ id, type }));
    if (kept) throw await nameReferrers(kept, { store, catalog, caller });
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

/** How many entries of the log are read at a time. */
const entriesAtOnce = 500;

/**
 * Erases drafts. Each call returns whether there were any, and leaves what deleted rows leave in files for a purge. A store without a
 * change log has none.
 */
export function createDraftEraser({
  store,
  clock,
  ids,
}: {
  store: ContentStore;
  clock: Clock;
  ids: IdSource;
}) {
  const hasDrafts = () => store.capabilities.changes && store.capabilities.transactions;

  /** Erases the drafts that an asset has; with a `seq`, those that were begun before that entry of the log. */
  async function erasePresent(asset: string, beforeSeq?: number): Promise<boolean> {
    if (!hasDrafts()) return false;
    let hasErased = false;
    for (const draft of await readDraftsOf(store, asset)) {
      const id = draftId(draft.record.release, asset);
      if (beforeSeq !== undefined && !(await isBegunBefore(id, beforeSeq))) continue;
      await drop(draft);
      await store.changes.erase({ id, type: draftClass, change: ids.version(), purge: 'later' });
      hasErased = true;
    }
    return hasErased;
  }

  /** A draft whose beginning was trimmed from the log is older than what the log has. */
  async function isBegunBefore(id: string, seq: number): Promise<boolean> {
    for (let before: number | undefined; ; ) {
      const request = { asset: id, limit: entriesAtOnce, ...(before !== undefined && { before }) };
      const page = await store.changes.history(request);
      const begin = page.entries.find(({ action }) => action === 'create');
      if (begin) return begin.seq !== undefined && begin.seq < seq;
      if (page.next === undefined) return true;
      before = page.next;
    }
  }

  /** Deletes a draft and counts the drafts of its release again, in one step. */
  const drop = ({ record: { release, asset } }: StoredDraft): Promise<void> =>
    untilWritten(async () => {
      const owner = await store.get(releaseId(release));
      const draft = (await findDrafts(store, release, { assets: [asset] })).get(asset);
      if (!draft) return undefined;
      const plan = createDraftPlan({ release, clock, ids }, owner);
      plan.record({ kind: 'drop' }, { draft, change: ids.version() });
      const overtaken = await writePlanned(store, plan.end().records, { atomic: true });
      return overtaken.length > 0 ? 'overtaken' : undefined;
    });

  /** Erases what is kept of drafts of assets that were published or dropped, which it looks for in the whole log. Drafts stay. */
  async function eraseDropped(assets: ReadonlySet<string>): Promise<boolean> {
    if (!hasDrafts()) return false;
    const known = new Set<string>();
    const filter = { types: [draftClass], actions: ['delete'] as const };
    for (let from: number | undefined, isLast = false; !isLast; ) {
      const request = { order: 'newest first', limit: entriesAtOnce, filter } as const;
      const page = await store.changes.read({ ...request, ...(from !== undefined && { from }) });
      for (const { asset: id, before } of page.entries)
        if (typeof before?.asset === 'string' && assets.has(before.asset)) known.add(id);
      from = page.next;
      isLast = from === undefined;
    }
    for (const id of known) await eraseHistory(id);
    return known.size > 0;
  }

  /** Erases the history of a draft. One that was begun anew under the same ID is written again in the same step, so that it stays. */
  const eraseHistory = (id: string): Promise<void> =>
    untilWritten(async () => {
      const change = ids.version();
      const present = await store.get(id);
      if (!present) {
        await store.changes.erase({ id, type: draftClass, change, purge: 'later' });
        return undefined;
      }
      const removal = { id, type: draftClass, change, ifVersion: present.version, erase: true } as const;
      const writes = [{ kind: 'delete', ...removal } as const, { kind: 'insert', ...present } as const];
      const overtaken = await writePlanned(store, writes, { atomic: true });
      return overtaken.length > 0 ? 'overtaken' : undefined;
    });

  return { erasePresent, eraseDropped };
}

// A store whose deletions of content are erasures: each removes the history of its asset in the same step. What lies outside, such as
// drafts and kept responses, is removed right after the step; see `erasure-sweep.ts`.

/** What is removed after a deletion. */
export interface DeletedContent {
  /** Removes what is kept of deleted assets outside the store's own step. Never rejects: what fails is tried again. */
  finish(): Promise<void>;
}

/**
 * Returns the store. A deletion that says `erase: false` only moves its asset, and stays as it is. A store without a change log keeps
 * nothing of what is deleted.
 */
export function eraseDeletions(
  store: ContentStore,
  { catalog, deleted }: { catalog: Pick<Catalog, 'types'>; deleted?: DeletedContent | undefined },
): ContentStore {
  if (!store.capabilities.changes) return store;
  const toErasure = <Deletion extends AssetDeletion>(deletion: Deletion): Deletion =>
    deletion.erase === undefined && catalog.types.has(deletion.type)
      ? { ...deletion, erase: true }
      : deletion;
  return {
    ...store,
    async delete(deletion, origin) {
      const erasure = toErasure(deletion);
      const isDone = await store.delete(erasure, origin);
      if (isDone && erasure.erase) await deleted?.finish();
      return isDone;
    },
    async write(writes, options) {
      const erasing = writes.map((write) => (write.kind === 'delete' ? toErasure(write) : write));
      const outcomes = await store.write(erasing, options);
      const hasErased = erasing.some(
        (write, n) => write.kind === 'delete' && write.erase && outcomes[n]?.kind === 'done',
      );
      if (hasErased) await deleted?.finish();
      return outcomes;
    },
  };
}

/** How many pages of the log are looked through. */
const maxPages = 50;
const deletionsAtOnce = 100;

/** Looks through the newest part of the log. `isContent` tells the class names of content. A store without a log keeps nothing. */
export async function hasKeptDeletions(
  { capabilities, changes }: Pick<ContentStore, 'capabilities' | 'changes'>,
  isContent: (type: string) => boolean,
): Promise<boolean> {
  if (!capabilities.changes) return false;
  for (let page = 0, from: number | undefined; page < maxPages; page++) {
    const request = {
      order: 'newest first',
      limit: deletionsAtOnce,
      filter: { actions: ['delete'] },
    } as const;
    const { entries, next } = await changes.read({ ...request, ...(from !== undefined && { from }) });
    if (entries.some(({ type }) => isContent(type))) return true;
    if (next === undefined) return false;
    from = next;
  }
  return false;
}
