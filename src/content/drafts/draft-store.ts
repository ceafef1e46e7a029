/**
 * The content of a release as a store: reads see the live assets with the drafts over them, and writes change the drafts alone. What
 * reads and writes content through a store works on a release without knowing it.
 *
 * A write and the new counts of the release are one transaction, which requires that the release has not changed since its drafts were
 * read; a write that others overtake is planned again. What the writes refer to by unique values or references is not checked: that
 * is for the publication.
 */

import { notSupported, preconditionFailed } from '../../base/errors.ts';
import { createTaskQueue, type TaskQueue } from '../../base/fair-queue.ts';
import type { Account } from '../../base/request-origin.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import { type Catalog, siteOwnerField } from '../../model/content-type.ts';
import {
  type AssetWrite,
  type ContentStore,
  idOfWrite,
  type StoredAsset,
  type StoreReads,
} from '../../store/port.ts';
import type { WriteOptions } from '../../store/write-options.ts';
import { readBase } from '../merge-changes.ts';
import { untilWritten, writePlanned } from '../planned-writes.ts';
import { readMany } from '../reading/read-chunks.ts';
import { isVisible } from '../reading/site-visibility.ts';
import {
  createDraftPlan,
  type DraftedAsset,
  type DraftOutcome,
  type DraftPlan,
  mayDiscard,
  notOwnDraft,
} from './change-draft.ts';
import type { Draft, DraftSource, StoredDraft } from './draft.ts';
import { createDraftChanges } from './draft-changes.ts';
import { createDraftSource, findDrafts, findRelease } from './draft-source.ts';
import { textForm } from './merge-page.ts';
import { createReadOverlay } from './read-overlay.ts';

/** The parts that the store needs. */
interface DraftStoreParts {
  /** The store of the live content and of the records. */
  readonly store: ContentStore;
  /** The name of the release. */
  readonly release: string;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** The sites that the sender is restricted to: it needs the live owner of an asset and the drafted one. */
  readonly sites?: readonly string[] | undefined;
  /** Whether the sender discards only what nobody else has drafted. */
  readonly ownOnly?: boolean | undefined;
  /** What all senders share; absent for writes that are only checked. */
  readonly shared?: SharedRelease;
}

/** What the senders of a process share of a release. */
export interface SharedRelease {
  /** Where the writes to the release wait for each other. */
  readonly queue: TaskQueue;
  /** Returns the drafts in the state that a version of the record of the release names. */
  sourceOf(version: string | undefined): DraftSource;
}

/** Creates it. The drafts of the last state stay in memory. */
export function createSharedRelease({
  store,
  release,
  catalog,
}: Pick<DraftStoreParts, 'store' | 'release' | 'catalog'>): SharedRelease {
  let last: { readonly version: string | undefined; readonly source: DraftSource } | undefined;
  return {
    queue: createTaskQueue(1),
    sourceOf(version) {
      const known = last?.version === version ? last?.source : undefined;
      const source = known ?? createDraftSource(store, release, catalog);
      last = { version, source };
      return source;
    },
  };
}

/** Which draft to drop. */
interface DraftDeletion {
  /** The `_id` of the asset. */
  readonly id: string;
  /** The `id` of the entry in the change log. */
  readonly change: string;
  readonly ifVersion?: string;
}

/** A store of the content of a release. */
interface DraftStore extends ContentStore {
  /** Drops a draft; returns whether there was one. Errors: precondition_failed, forbidden. */
  drop(deletion: DraftDeletion, origin: WriteOptions['origin']): Promise<boolean>;
  /** Finds the draft of an asset. */
  findDraft(id: string): Promise<StoredDraft | undefined>;
  /** Rejects unless the release exists, and returns a name of its state. Errors: not_found. */
  state(): Promise<string>;
}

/** Creates the store. Errors: not_supported; of all reads and writes also not_found for a release that does not exist. */
export function createDraftStore(parts: DraftStoreParts): DraftStore {
  const { store, release, catalog, sites, shared = createSharedRelease(parts) } = parts;
  const { queue } = shared;
  const { transactions, changes } = store.capabilities;
  if (!transactions || !changes)
    throw notSupported('This store has no transactions and no change log, so it has no drafts');
  let view: { readonly version: string | undefined; readonly reads: StoreReads } | undefined;

  /** Returns the reads in the present state of the release. */
  async function reads(): Promise<StoreReads> {
    const version = (await findRelease(store, release))?.version;
    if (!view || view.version !== version) {
      const drafts = withinSites(shared.sourceOf(version), { store, sites });
      view = { version, reads: version === undefined ? store : createReadOverlay(store, drafts) };
    }
    return view.reads;
  }

  async function plan(writes: readonly AssetWrite[], by: Account | undefined): Promise<DraftPlan> {
    const stored = await findRelease(store, release);
    const planning = createDraftPlan({ ...parts, by }, stored);
    const ids = [...new Set(writes.map(idOfWrite))];
    const drafts = await findDrafts(store, release, { assets: ids, catalog });
    const live = new Map<string, StoredAsset>();
    for await (const found of readMany(store, ids)) for (const [id, one] of found) live.set(id, one);
    const drafted = new Map<string, DraftedAsset>();
    for (const id of ids) drafted.set(id, await withBegun({ live: live.get(id), draft: drafts.get(id) }));
    for (const write of writes) planning.add(write, drafted);
    return planning.end();
  }

  /** Adds the live asset that a drafted deletion began with, where another one is live by now. */
  async function withBegun(drafted: DraftedAsset): Promise<DraftedAsset> {
    const { action, asset: id, base: version } = drafted.draft?.record ?? {};
    const isOutdated = action === 'delete' && version !== undefined && version !== drafted.live?.version;
    return isOutdated && id !== undefined
      ? { ...drafted, begun: await readBase(store, { id, version }) }
      : drafted;
  }

  /** Writes, and returns the outcomes with the assets as they are afterwards. */
  const write = (
    writes: readonly AssetWrite[],
    options: WriteOptions = {},
  ): Promise<readonly DraftOutcome[]> =>
    queue.run(() =>
      untilWritten(async () => {
        const { outcomes, records } = await plan(writes, options.origin?.by);
        const refused = outcomes.findIndex(({ kind }) => kind !== 'done');
        if (options.atomic && refused >= 0)
          return outcomes.map((outcome, n) => (n === refused ? outcome : ({ kind: 'undone' } as const)));
        const isOvertaken = await writeRecords(records, options);
        return isOvertaken ? 'overtaken' : outcomes;
      }),
    );

  /** Writes records in one transaction; returns whether others have overtaken it. */
  const writeRecords = async (records: readonly AssetWrite[], options: WriteOptions) =>
    (await writePlanned(store, records, { ...options, atomic: true })).length > 0;

  const drop: DraftStore['drop'] = ({ id, change, ifVersion }, origin) =>
    queue.run(() =>
      untilWritten(async () => {
        const planning = createDraftPlan(parts, await findRelease(store, release));
        const draft = (await findDrafts(store, release, { assets: [id], catalog })).get(id);
        if (!draft) return false;
        if (!mayDiscard(draft.record, { ...parts, by: origin?.by })) throw notOwnDraft();
        if (ifVersion !== undefined && ifVersion !== draft.version) throw preconditionFailed(id);
        planning.record({ kind: 'drop' }, { draft, change });
        const isOvertaken = await writeRecords(planning.end().records, { ...(origin && { origin }) });
        return isOvertaken ? 'overtaken' : true;
      }),
    );

  async function writeOne(one: AssetWrite, origin: WriteOptions['origin']): Promise<DraftOutcome> {
    const [outcome] = await write([one], origin && { origin });
    if (!outcome) throw new Error('A write has no outcome');
    if (outcome.kind === 'failed') throw outcome.error;
    return outcome;
  }

  const patch: ContentStore['patch'] = async (one, origin) =>
    (await writeOne({ kind: 'patch', ...one }, origin)).after;

  return {
    ...store,
    get: async (id) => (await reads()).get(id),
    getMany: async (ids) => (await reads()).getMany(ids),
    getChunk: async (ids) => (await reads()).getChunk(ids),
    getTypes: async (ids) => (await reads()).getTypes(ids),
    find: async (request) => (await reads()).find(request),
    facets: async (request) => (await reads()).facets(request),
    explain: async (request) => (await reads()).explain(request),
    texts: {
      get: async (id) => (await reads()).texts.get(id),
      getChunk: async (ids) => (await reads()).texts.getChunk(ids),
      find: async (request) => (await reads()).texts.find(request),
      async patch(one, origin) {
        const after = await patch(one, origin);
        return after && textForm.fromStored(after);
      },
    },
    patch,
    insert: async (stored, origin) => (await writeOne({ kind: 'insert', ...stored }, origin)).after ?? stored,
    delete: async (deletion, origin) =>
      (await writeOne({ kind: 'delete', ...deletion }, origin)).kind === 'done',
    write,
    changes: createDraftChanges({ store, release, catalog, sites }),
    revision: async (types) =>
      `${await store.revision(types)} ${(await findRelease(store, release))?.version ?? ''}`,
    state: async () => (await findRelease(store, release))?.version ?? '',
    drop,
    findDraft: async (id) => (await findDrafts(store, release, { assets: [id], catalog })).get(id),
  };
}

// The drafts that count for a sender restricted to sites: those of assets whose live owner is one of the sites, or that are not live. An
// asset whose draft is left out is as it is live, so the sender does not see it either.

/** Leaves out the drafts of assets of other sites; without `sites`, returns the source itself. */
function withinSites(
  source: DraftSource,
  { store, sites }: { store: Pick<ContentStore, 'getMany'>; sites?: readonly string[] | undefined },
): DraftSource {
  if (!sites) return source;
  async function findHidden(drafts: readonly Draft[]): Promise<ReadonlySet<string>> {
    const hidden = new Set<string>();
    for await (const found of readMany(store, drafts.filter(mayMove).map(idOfWrite))) {
      for (const [id, { asset }] of found) if (!isVisible(asset, { sites })) hidden.add(id);
    }
    return hidden;
  }

  return {
    async find(ids) {
      const found = await source.find(ids);
      const hidden = await findHidden([...found.values()]);
      return new Map([...found].filter(([id]) => !hidden.has(id)));
    },
    async ofTypes(types) {
      const found = await source.ofTypes(types);
      const hidden = await findHidden(found);
      return found.filter((draft) => !hidden.has(idOfWrite(draft)));
    },
  };
}

/** Whether a draft may leave its asset with another owner than the live one: a change of other fields keeps it. */
const mayMove = (draft: Draft) =>
  draft.kind !== 'patch' || Object.hasOwn(draft.set, siteOwnerField) || draft.unset.includes(siteOwnerField);
