/**
 * Withdraws an asset: one transaction deletes it live and keeps it in the release `drafts` as a creation with the same `_id`. Publishing that
 * draft makes the asset live again, with its history and with the references to it, which stay as they are.
 */
import { editConflict, notFound } from '../../../base/errors.ts';
import type { ContentStore, StoredAsset } from '../../../store/port.ts';
import { attributeCalls } from '../../attribute-calls.ts';
import { keepFiles } from '../../files/keep-files.ts';
import { untilWritten, writePlanned } from '../../planned-writes.ts';
import { createFreshIds, type PreAssignedIds } from '../../pre-assigned-ids.ts';
import type { Written } from '../../prepare-write.ts';
import { assertVersion } from '../../prepare-write.ts';
import { type Caller, createAssetFinder } from '../../reading/find-assets.ts';
import { createReferenceFinder, type FoundReferences } from '../../reading/find-references.ts';
import { readMany } from '../../reading/read-chunks.ts';
import { isVisible } from '../../reading/site-visibility.ts';
import { recallEarlier } from '../../recall-change.ts';
import { nameReferrers } from '../../restricting-references.ts';
import { createDraftPlan, type DraftedAsset, presentOf } from '../change-draft.ts';
import { type DraftRecord, releaseId, standingRelease, toReleaseRecord } from '../draft.ts';
import { findDrafts, findRelease, readDraftsOf } from '../draft-source.ts';
import { findOverlaps } from './check-draft.ts';
import type { PublisherParts } from './publish-release.ts';

export interface Withdrawal {
  readonly id: string;
  readonly ifVersions?: readonly string[];
}

/** A withdrawn asset: its change in the log, who referred to it, and the schedules that it is subject to. */
export interface Withdrawn extends Written {
  readonly references: FoundReferences;
  readonly schedules: readonly AssetSchedule[];
}

/** The scheduled publication of a release that has a draft of a withdrawn asset. */
export interface AssetSchedule {
  readonly release: string;
  readonly publishAt: number;
  /** What the draft does: a creation makes the asset live again, anything else is a conflict unless it is live. */
  readonly action: DraftRecord['action'];
  /** Set for the draft that keeps the asset, which the publication passes over. */
  readonly withdrawn?: true;
}

/**
 * Withdraws an asset as `drafts` shows it: what was drafted for it is kept, apart from a drafted deletion. Errors: not_found,
 * precondition_failed, referenced, edit_conflict where others have changed what the draft changes, id_in_use where `drafts` has the creation of the same `_id`, release_full, store_busy.
 */
export type AssetWithdrawer = (
  withdrawal: Withdrawal,
  caller: Caller,
  reserved?: PreAssignedIds,
) => Promise<Withdrawn>;

const release = standingRelease;

/** How many of the referring assets are named. */
const maxNamed = 100;

export function createAssetWithdrawer(
  parts: Pick<PublisherParts, 'catalog' | 'store' | 'clock' | 'ids' | 'origins' | 'runs' | 'queueOf'>,
): AssetWithdrawer {
  const { catalog, clock, ids } = parts;
  const store = attributeCalls(keepFiles(parts.store, { catalog, ids }), parts);
  const finder = createAssetFinder({ catalog, store });
  const findReferences = createReferenceFinder({ content: { ...finder, catalog }, clock });

  /** Finds what an earlier run of the request has withdrawn. */
  async function recall(
    id: string,
    caller: Caller,
    reserved: PreAssignedIds,
  ): Promise<Withdrawn | undefined> {
    const own = await recallEarlier(store, { id: id.toLowerCase(), reserved });
    if (!own) return undefined;
    const withdrawn = { asset: { _id: own.asset, _type: own.type }, version: own.id };
    const find = createReferenceFinder({
      content: { ...finder, catalog, get: async () => withdrawn },
      clock,
    });
    const references = await find({ id: own.asset, limit: maxNamed }, caller);
    return { change: own.id, references, schedules: await findSchedules(store, own.asset) };
  }

  /** Returns the change of the live asset. */
  async function tryWithdraw(
    { id, ifVersions }: Withdrawal,
    caller: Caller,
    reserved: PreAssignedIds,
  ): Promise<string | 'overtaken'> {
    const live = await finder.get(id, caller);
    assertVersion({ ifVersions }, live);
    const { _id, _type: type } = live.asset;
    const stored = await findRelease(store, release);
    const draft = (await findDrafts(store, release, { assets: [_id], catalog })).get(_id);
    const { by } = parts.origins.current();
    const planning = createDraftPlan(
      { release, clock, ids, by, sites: caller.sites, withdraws: live.version },
      stored,
    );
    const { asset } = kept({ live, draft });
    if (!isVisible(asset, caller)) throw notFound(id);
    const overlaps = draft?.record.action === 'change' ? findOverlaps(draft.record, live.asset) : [];
    if (overlaps.length > 0) throw editConflict(_id, overlaps);
    planning.add(
      { kind: 'insert', asset, version: ids.version() },
      new Map([[_id, { live: undefined, draft }]]),
    );
    const { outcomes, records } = planning.end();
    for (const outcome of outcomes) if (outcome.kind === 'failed') throw outcome.error;
    const change = reserved.of(0).version('deleted');
    await reserved.assertCurrent();
    // The asset stays, as a draft.
    const deletion = {
      kind: 'delete',
      id: _id,
      type,
      ifVersion: live.version,
      change,
      erase: false,
    } as const;
    const overtaken = await writePlanned(store, [deletion, ...records], { atomic: true });
    return overtaken.length > 0 ? 'overtaken' : change;
  }

  return async (withdrawal, caller, reserved = createFreshIds(ids)) => {
    const { id } = withdrawal;
    const earlier = await recall(id, caller, reserved);
    if (earlier) return earlier;
    const references = await findReferences({ id, limit: maxNamed }, caller);
    const schedules = await findSchedules(store, id.toLowerCase());
    const change = await parts
      .queueOf(release)
      .run(() => untilWritten(() => tryWithdraw(withdrawal, caller, reserved)))
      .catch(async (error) => {
        throw await nameReferrers(error, { store, catalog, caller });
      });
    return { change, references, schedules };
  };
}

/** Finds the schedules of releases that have a draft of an asset, or will have one when it is withdrawn, in the order of their times. */
async function findSchedules(store: ContentStore, asset: string): Promise<readonly AssetSchedule[]> {
  const others = (await readDraftsOf(store, asset)).filter(({ record }) => record.release !== release);
  const drafts = new Map(others.map(({ record }) => [record.release, { action: record.action }]));
  const own = { action: 'create', withdrawn: true } as const;
  const releases = new Map([...drafts.keys(), release].map((name) => [releaseId(name), name]));
  const found: AssetSchedule[] = [];
  for await (const chunk of readMany(store, [...releases.keys()])) {
    for (const stored of chunk.values()) {
      const { name, publishAt, stopped } = toReleaseRecord(stored.asset);
      if (publishAt === undefined || stopped) continue;
      found.push({ release: name, publishAt, ...(drafts.get(name) ?? own) });
    }
  }
  return found.toSorted((one, other) => one.publishAt - other.publishAt);
}

/** Returns the asset as the release shows it; the live one where the release deletes it. */
const kept = (drafted: DraftedAsset & { readonly live: StoredAsset }): StoredAsset =>
  presentOf(drafted) ?? drafted.live;
