/**
 * Withdraws an asset: one transaction deletes it live and keeps it in the release `drafts` as a creation with the same `_id`. Publishing that
 * draft makes the asset live again, with its history and with the references to it, which stay as they are.
 */
import { editConflict, notFound } from '../../../base/errors.ts';
import type { ContentStore, StoredAsset } from '../../../store/port.ts';
import { attributeCalls } from '../../attribute-calls.ts';
import { keepFiles } from '../../files/keep-files.ts';
import { type Caller, createAssetFinder } from '../../reading/find-assets.ts';
import { createReferenceFinder, type FoundReferences } from '../../reading/find-references.ts';
import { isVisible } from '../../reading/site-visibility.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from '../../repeat-write.ts';
import { assertVersion } from '../../write-condition.ts';
import type { Written } from '../../written-asset.ts';
import { type DraftedAsset, presentOf } from '../change-draft.ts';
import { standingRelease } from '../draft-record.ts';
import { findDrafts } from '../draft-source.ts';
import { createDraftPlan } from '../plan-drafts.ts';
import { findOverlaps } from './check-draft.ts';
import { findRelease } from './plan-publication.ts';
import type { PublisherParts } from './publish-release.ts';

/** Which asset to withdraw. */
export interface Withdrawal {
  readonly id: string;
  readonly ifVersions?: readonly string[];
}

/** A withdrawn asset: its change in the log, and who referred to it. */
export interface Withdrawn extends Written {
  readonly references: FoundReferences;
}

/**
 * Withdraws an asset as `drafts` shows it: what was drafted for it is kept, apart from a drafted deletion. Errors: not_found,
 * precondition_failed, edit_conflict where others have changed what the draft changes, id_in_use where `drafts` has the creation of the same `_id`, release_full, store_busy.
 */
export type AssetWithdrawer = (withdrawal: Withdrawal, caller: Caller) => Promise<Withdrawn>;

const release = standingRelease;

/** How many of the referring assets are named. */
const maxNamed = 100;

/** Creates the function. */
export function createAssetWithdrawer(
  parts: Pick<PublisherParts, 'catalog' | 'store' | 'clock' | 'ids' | 'origins' | 'runs' | 'queueOf'>,
): AssetWithdrawer {
  const { catalog, clock, ids } = parts;
  const store = attributeCalls(keepFiles(parts.store, { catalog, ids }), parts);
  const finder = createAssetFinder({ catalog, store });
  const findReferences = createReferenceFinder({ content: { ...finder, catalog }, clock });

  /** Returns the change of the live asset. */
  async function tryWithdraw({ id, ifVersions }: Withdrawal, caller: Caller): Promise<string | 'overtaken'> {
    const live = await finder.get(id, caller);
    assertVersion({ ifVersions }, live);
    const { _id, _type: type } = live.asset;
    const stored = await findRelease(store, release);
    const draft = (await findDrafts(store, release, { assets: [_id], catalog })).get(_id);
    const { by } = parts.origins.current();
    const planning = createDraftPlan({ release, clock, ids, by, sites: caller.sites }, stored);
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
    const change = ids.version();
    const deletion = { kind: 'delete', id: _id, type, ifVersion: live.version, change } as const;
    return (await writeAll(store, [deletion, ...records])) ? change : 'overtaken';
  }

  return async (withdrawal, caller) => {
    const references = await findReferences({ id: withdrawal.id, limit: maxNamed }, caller);
    return parts.queueOf(release).run(async () => {
      for (let attempts = 1; ; attempts++) {
        const change = await tryWithdraw(withdrawal, caller);
        if (change !== 'overtaken') return { change, references };
        if (!mayTryAgain(attempts)) throw overtakenTooOften();
        await pauseAfter(attempts);
      }
    });
  };
}

/** Returns the asset as the release shows it; the live one where the release deletes it. */
const kept = (drafted: DraftedAsset & { readonly live: StoredAsset }): StoredAsset =>
  presentOf(drafted) ?? drafted.live;

/** Writes in one transaction; returns whether nobody has overtaken it. */
async function writeAll(
  store: Pick<ContentStore, 'write'>,
  writes: Parameters<ContentStore['write']>[0],
): Promise<boolean> {
  for (const outcome of await store.write(writes, { atomic: true })) {
    if (outcome.kind === 'absent') return false;
    if (outcome.kind !== 'failed') continue;
    if (outcome.error.code !== 'precondition_failed' && outcome.error.code !== 'id_in_use')
      throw outcome.error;
    return false;
  }
  return true;
}
