/**
 * The releases of a content service: their records, their drafts, and their publication.
 */
import { invalidParameter, isDomainError, notFound, notSupported, valueInUse } from '../../../base/errors.ts';
import { isUuid } from '../../../base/uuid.ts';
import type { Asset } from '../../../model/content-type.ts';
import { attributeCalls } from '../../attribute-calls.ts';
import { untilWritten, writePlanned } from '../../planned-writes.ts';
import { findWhole, readMany } from '../../reading/read-chunks.ts';
import { createDraftPlan } from '../change-draft.ts';
import {
  draftClass,
  publicationLimits,
  type ReleaseRecord,
  releaseClass,
  releaseId,
  type StoredDraft,
  standingRelease,
  toReleaseRecord,
} from '../draft.ts';
import { findRelease, ofRelease, toStoredDraft } from '../draft-source.ts';
import { createDraftLister, type DraftLister } from './list-drafts.ts';
import {
  changeRelease,
  createPublisher,
  endActions,
  endPreviewLinks,
  type Publisher,
  type PublisherParts,
  recordAction,
} from './publish-release.ts';
import { createDraftRebaser, type DraftRebaser } from './rebase-draft.ts';
import { createReleaseSchedules, isScheduled, type ReleaseSchedules } from './release-schedules.ts';
import { type AssetWithdrawer, createAssetWithdrawer } from './withdraw-asset.ts';

/** A release. The one that always exists has no time of creation until it is first written to. */
export type Release = Omit<ReleaseRecord, 'createdAt'> & Partial<Pick<ReleaseRecord, 'createdAt'>>;

/** The page to list. */
interface ReleaseSearch {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly scheduled?: boolean | undefined;
}

/** A page of releases. `next` is the cursor of the next page; absent at the end. */
export interface ReleasePage {
  readonly items: readonly Release[];
  readonly next?: string;
}

/** Manages releases. All calls have the error not_supported on a store without transactions or a change log. */
export interface ReleaseManager extends Publisher {
  readonly schedules: ReleaseSchedules;
  /** Lists the releases, or the scheduled ones alone. Errors: invalid_parameter. */
  list(page: ReleaseSearch): Promise<ReleasePage>;
  /** Errors: not_found. */
  get(name: string): Promise<Release>;
  /** Errors: value_in_use. */
  create(release: { readonly name: string; readonly title?: string | undefined }): Promise<Release>;
  /** Changes the title; without one, removes it. Errors: not_found. */
  retitle(name: string, title: string | undefined): Promise<Release>;
  /**
   * Deletes a release with its drafts, whose number the caller states; of the release that always exists, only the drafts. Errors:
   * not_found; invalid_parameter for another number; store_busy.
   */
  delete(name: string, drafts: number): Promise<void>;
  readonly listDrafts: DraftLister;
  readonly rebase: DraftRebaser;
  readonly withdraw: AssetWithdrawer;
}

export function createReleaseManager(parts: PublisherParts): ReleaseManager {
  const { clock, ids, origins } = parts;
  const store = attributeCalls(parts.store, { origins, clock });
  const publisher = createPublisher(parts);
  const listDrafts = createDraftLister(parts);
  const rebase = createDraftRebaser({ ...parts, store });
  const withdraw = createAssetWithdrawer(parts);
  const schedules = createReleaseSchedules({ store, publisher, clock, ids, origins });

  function assertSupported(): void {
    const { transactions, changes } = store.capabilities;
    if (!transactions || !changes)
      throw notSupported('This store has no transactions and no change log, so it has no drafts');
  }

  async function get(name: string): Promise<Release> {
    const stored = await findRelease(store, name);
    return stored ? toReleaseRecord(stored.asset) : standing;
  }

  async function list({ cursor, limit, scheduled = false }: ReleaseSearch): Promise<ReleasePage> {
    if (cursor !== undefined && !isUuid(cursor))
      throw invalidParameter('cursor', 'is not a cursor that this server has returned');
    const keyset = cursor === undefined ? {} : { after: [cursor] };
    const where = scheduled ? { where: isScheduled } : {};
    const search = { types: [releaseClass], ...where, offset: 0, limit, keyset, withCount: false };
    const { items, rest = [], next } = await store.find(search);
    const assets = items.map(({ asset }) => asset);
    for await (const found of readMany(store, rest))
      assets.push(...[...found.values()].map(({ asset }) => asset));
    const others = assets.filter(({ _id }) => _id !== releaseId(standingRelease)).map(toReleaseRecord);
    const first = cursor === undefined && !scheduled ? [await get(standingRelease)] : [];
    const [position] = next ?? [];
    return { items: [...first, ...others], ...(position !== undefined && { next: String(position) }) };
  }

  async function create({ name, title }: { name: string; title?: string | undefined }): Promise<Release> {
    const { name: createdBy } = origins.current().by;
    const record = {
      name,
      ...(title !== undefined && { title }),
      createdAt: clock.nowMs(),
      ...(createdBy !== undefined && { createdBy }),
      drafts: 0,
      bytes: 0,
    };
    const asset: Asset = { _id: releaseId(name), _type: releaseClass, ...record };
    if (name === standingRelease) throw valueInUse('name', name);
    const action = await recordAction(store, { release: name, action: 'CREATED' }, ids);
    const insert = { kind: 'insert', asset, version: ids.version() } as const;
    for (const outcome of await store.write([insert, action], { atomic: true })) {
      if (outcome.kind !== 'failed') continue;
      throw isDomainError(outcome.error, 'id_in_use') ? valueInUse('name', name) : outcome.error;
    }
    return record;
  }

  async function retitle(name: string, title: string | undefined): Promise<Release> {
    const change = title === undefined ? { set: {}, unset: ['title'] } : { set: { title }, unset: [] };
    const action = { action: 'RETITLED' } as const;
    if (!(await changeRelease({ store, ids }, name, { ...change, action }))) throw notFound(name, 'release');
    return get(name);
  }

  /** Drops as many drafts as one transaction does, the last of them with the release; returns whether all are gone. */
  async function tryDelete(name: string, expected: number | undefined): Promise<boolean | 'overtaken'> {
    const stored = await findRelease(store, name);
    const { drafts: count } = stored ? toReleaseRecord(stored.asset) : standing;
    if (expected !== undefined && expected !== count)
      throw invalidParameter(
        'drafts',
        `must be the number of drafts that are deleted with the release: ${count}`,
      );
    const links = await endPreviewLinks(store, name, ids);
    if (!stored) {
      if (links.length > 0) await store.write(links, { atomic: true });
      return true;
    }
    const chosen = await readSome(name);
    const planning = createDraftPlan({ release: name, clock, ids }, stored);
    for (const draft of chosen) planning.record({ kind: 'drop' }, { draft, change: ids.version() });
    const { records } = planning.end();
    const isLast = chosen.length < publicationLimits.drafts;
    const actions = await endActions(store, name, ids);
    const { version: ifVersion } = stored;
    const own = { kind: 'delete', id: releaseId(name), type: releaseClass, ifVersion } as const;
    const writes = isLast ? [own, ...records.slice(1), ...links, ...actions] : records;
    const overtaken = await writePlanned(store, writes, { atomic: true });
    return overtaken.length > 0 ? 'overtaken' : isLast;
  }

  async function readSome(release: string): Promise<StoredDraft[]> {
    const { items } = await findWhole(store, {
      types: [draftClass],
      where: ofRelease(release),
      offset: 0,
      limit: publicationLimits.drafts,
      withCount: false,
    });
    return items.map((stored) => toStoredDraft(stored));
  }

  async function remove(name: string, drafts: number): Promise<void> {
    let expected: number | undefined = drafts;
    while (!(await untilWritten(() => tryDelete(name, expected)))) expected = undefined;
  }

  const supported =
    <Parameters extends unknown[], Result>(call: (...given: Parameters) => Promise<Result>) =>
    async (...given: Parameters): Promise<Result> => {
      assertSupported();
      return call(...given);
    };

  return {
    list: supported(list),
    get: supported(get),
    create: supported(create),
    retitle: supported(retitle),
    delete: supported(remove),
    check: supported(publisher.check),
    publish: supported(publisher.publish),
    listDrafts: supported(listDrafts),
    rebase: supported(rebase),
    withdraw: supported(withdraw),
    schedules: {
      ...schedules,
      schedule: supported(schedules.schedule),
      unschedule: supported(schedules.unschedule),
      listStopped: supported(schedules.listStopped),
    },
  };
}

const standing: Release = { name: standingRelease, drafts: 0, bytes: 0 };
