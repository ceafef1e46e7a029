/**
 * Bases a draft on the present live asset, so that what others have changed since the draft began no longer is a conflict. The draft keeps
 * its values, except those of the fields for which the live value is chosen.
 *
 * A change of an asset that was deleted becomes its creation, with the last live values of other fields. A creation whose asset exists
 * by now becomes a change.
 */
import { isDeepStrictEqual } from 'node:util';
import { historyRemoved, idInUse, notFound, preconditionFailed } from '../../../base/errors.ts';
import { memberOf } from '../../../base/own-members.ts';
import type { RequestOrigins } from '../../../base/request-origin.ts';
import type { Clock, IdSource } from '../../../base/runtime.ts';
import type { Asset, Catalog } from '../../../model/content-type.ts';
import { undoChange } from '../../../store/changes.ts';
import type { ContentStore, StoredAsset } from '../../../store/port.ts';
import { readBase } from '../../merge-changes.ts';
import { untilWritten, writePlanned } from '../../planned-writes.ts';
import { isVisible } from '../../reading/site-visibility.ts';
import {
  chosen,
  createDraftPlan,
  type DraftChange,
  fieldsOf,
  hasChanges,
  mayDiscard,
  nothing,
  notOwnDraft,
  presentOf,
  touch,
  touchedBy,
  valuesOf,
} from '../change-draft.ts';
import { bytesOf, type DraftRecord, type StoredDraft } from '../draft.ts';
import { findDrafts, findRelease } from '../draft-source.ts';

/** Which draft to base on the live asset. */
export interface DraftRebase {
  readonly release: string;
  /** The `_id` of the asset. */
  readonly asset: string;
  /** The JSON names of the fields that take the live value. */
  readonly theirs?: readonly string[] | undefined;
  /** The live version that the sender has seen; absent means any. */
  readonly live?: string | undefined;
  /** The sites that the sender is restricted to. */
  readonly sites?: readonly string[] | undefined;
  /** Whether the sender discards only what nobody else has drafted. */
  readonly ownOnly?: boolean | undefined;
}

/**
 * Rebases a draft, and returns it with the version of the asset in the release; `undefined` when nothing is left of it. Errors: not_found, precondition_failed for another live version,
 * forbidden where `theirs` would discard what others have drafted,
 * id_in_use for a live asset of another type, history_removed for a deleted asset whose former state is not known, store_busy.
 */
export type DraftRebaser = (rebase: DraftRebase) => Promise<StoredDraft | undefined>;

export function createDraftRebaser({
  store,
  catalog,
  clock,
  ids,
  origins,
}: {
  store: ContentStore;
  catalog: Catalog;
  clock: Clock;
  ids: IdSource;
  origins: RequestOrigins;
}): DraftRebaser {
  async function tryRebase(rebase: DraftRebase): Promise<StoredDraft | undefined | 'overtaken'> {
    const { release, asset, sites, ownOnly, theirs = [] } = rebase;
    const { by } = origins.current();
    const planning = createDraftPlan({ release, clock, ids, by }, await findRelease(store, release));
    const draft = (await findDrafts(store, release, { assets: [asset], catalog })).get(asset);
    const live = await store.get(asset);
    if (!draft || (live && !isVisible(live.asset, { sites }))) throw notFound(asset, 'draft of the asset');
    if (rebase.live !== undefined && rebase.live !== live?.version) throw preconditionFailed(asset);
    const isDiscarding = touchedBy(draft.record).some((name) => theirs.includes(name));
    if (isDiscarding && !mayDiscard(draft.record, { by, ownOnly })) throw notOwnDraft();
    const change = await changeBase(draft.record, { live, theirs });
    const after = planning.record(change, { draft, live, change: ids.version() });
    const { records } = planning.end();
    if ((await writePlanned(store, records, { atomic: true })).length > 0) return 'overtaken';
    return after && { ...after, version: (presentOf({ live, draft: after }) ?? after).version };
  }

  async function changeBase(
    record: DraftRecord,
    { live, theirs }: { live: StoredAsset | undefined; theirs: readonly string[] },
  ): Promise<DraftChange> {
    const { asset, type, action } = record;
    if (live && live.asset._type !== type) throw idInUse(asset);
    if (action === 'delete') return live ? put({ ...record, base: live.version }) : { kind: 'drop' };
    if (!live) return action === 'create' ? put(record) : put(await toCreation(record));
    const isKept = (name: string) => !theirs.includes(name);
    const own = await findOwn(record);
    const set = Object.fromEntries(Object.entries(own.set).filter(([name]) => isKept(name)));
    const changes = touch(live.asset, nothing, { set, unset: own.unset.filter(isKept) });
    if (!hasChanges(changes)) return { kind: 'drop' };
    const { defaulted: _, withdrawn: __, ...rest } = record;
    // Nobody has seen what others have changed since the asset was live before.
    const begun = own.former
      ? { before: valuesOf(own.former, changes) }
      : { before: changes.before, base: live.version };
    return put({ ...rest, ...changes, ...begun, action: 'change' });
  }

  /**
   * Finds what a draft itself changes. Of a creation that keeps an asset which was live before, that is what differs from its former state;
   * of any other, all that somebody has given.
   */
  async function findOwn(record: DraftRecord): Promise<OwnChanges> {
    const { action, asset: id, base: version, set, unset } = record;
    if (action !== 'create') return { set, unset };
    const former = version === undefined ? undefined : await readBase(store, { id, version });
    if (!former) return { set: chosen(record), unset };
    const isSame = (name: string) => isDeepStrictEqual(memberOf(former, name), memberOf(set, name));
    const changed = Object.entries(set).filter(([name]) => !isSame(name));
    const removed = fieldsOf(former).filter((name) => !Object.hasOwn(set, name));
    return { former, set: Object.fromEntries(changed), unset: removed };
  }

  async function toCreation(record: DraftRecord): Promise<DraftRecord> {
    const { base: version = '', ...rest } = record;
    const { asset: id, type } = record;
    const last = (await readLast(id)) ?? { asset: await readBase(store, { id, version }), version };
    if (last.asset?._type !== type) throw historyRemoved(id);
    const { _id, _type, ...fields } = last.asset;
    const kept = Object.entries({ ...fields, ...record.set }).filter(
      ([name]) => !record.unset.includes(name),
    );
    const creation = { action: 'create', unset: [], before: {}, withdrawn: false } as const;
    const base = last.version === undefined ? {} : { base: last.version };
    return { ...rest, ...creation, ...base, set: Object.fromEntries(kept) };
  }

  /** Reads an asset as it was when it was deleted; `undefined` where the log does not tell any more. */
  async function readLast(asset: string) {
    const [last] = (await store.changes.history({ asset, limit: 1 })).entries;
    return last?.action === 'delete'
      ? { asset: undoChange(undefined, last), version: last.previousVersion }
      : undefined;
  }

  return (given) => {
    const rebase = { ...given, asset: given.asset.toLowerCase() };
    return untilWritten(() => tryRebase(rebase));
  };
}

/** Changes of a draft; `former` is the state that they are of, where it is not the live asset. */
interface OwnChanges extends Pick<DraftRecord, 'set' | 'unset'> {
  readonly former?: Asset;
}

const put = (record: Omit<DraftRecord, 'bytes'>): DraftChange => ({
  kind: 'put',
  record: { ...record, bytes: bytesOf(record) },
});
