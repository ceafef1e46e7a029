/**
 * The contents of releases: the reads and writes of the content service on the live content with the drafts of a release over it, kept for
 * the releases that were used last. Writes change the drafts alone, and belong to no run.
 */

import { LRUCache } from 'lru-cache';
import { notFound } from '../../base/errors.ts';
import type { TaskQueue } from '../../base/fair-queue.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { Clock, IdSource, Logger } from '../../base/runtime.ts';
import type { Catalog } from '../../model/content-type.ts';
import { type AssetValidators, createAssetValidators } from '../../model/values/validate-asset.ts';
import type { ContentStore } from '../../store/port.ts';
import { attributeCalls, type ContentCalls } from '../attribute-calls.ts';
import type { UniqueKeys } from '../batch/unique-keys.ts';
import { createBatchWriter } from '../batch/write-batch.ts';
import { keepFiles } from '../files/keep-files.ts';
import { createHistoryReader, type HistoryReader, toAssetId } from '../history/read-history.ts';
import { createTrialStore } from '../overlay/trial-store.ts';
import type { TrialWriter } from '../overlay/trial-writer.ts';
import { createFreshIds } from '../pre-assigned-ids.ts';
import { assertVersion, type ContentRules, changeOf, createWritePreparer } from '../prepare-write.ts';
import { type Caller, createAssetFinder } from '../reading/find-assets.ts';
import { createContentSelector } from '../reading/select-content.ts';
import { isVisible } from '../reading/site-visibility.ts';
import { recallEarlier } from '../recall-change.ts';
import { createUnfitContent } from '../unfit/unfit-content.ts';
import { type AssetDeleter, createAssetWriter } from '../write-asset.ts';
import { toAssetWrite } from './draft.ts';
import { createDraftStore, createSharedRelease, type SharedRelease } from './draft-store.ts';

/** Who works in a release. */
export interface Drafter extends Pick<Caller, 'sites'> {
  /** Whether the caller discards only drafts, and changes in drafts, that nobody else has written. */
  readonly ownDraftsOnly?: boolean;
}

/** Returns the content of a release for a caller. Errors: not_supported. */
export type FindRelease = (name: string, caller: Drafter) => ReleaseContent;

/** How many releases stay in memory, with the drafts that were read of them, and for how many groups of callers one is read. */
const maxKept = 8;

/** Creates the function, and one that returns where the writes to a release wait for each other. */
export function createReleases(parts: Omit<ReleaseParts, 'draftValidators'>): {
  readonly inRelease: FindRelease;
  queueOf(release: string): TaskQueue;
} {
  const contents = new LRUCache<string, ReleaseContent>({ max: maxKept });
  const releases = new LRUCache<string, SharedRelease>({ max: maxKept });
  let validators: ReleaseParts['draftValidators'] | undefined;

  function shareOf(release: string): SharedRelease {
    const shared = releases.get(release) ?? createSharedRelease({ ...parts, release });
    releases.set(release, shared);
    return shared;
  }

  const inRelease: FindRelease = (release, { sites, ownDraftsOnly: ownOnly = false }) => {
    const key = JSON.stringify([release, ownOnly, sites?.toSorted()]);
    const known = contents.get(key);
    if (known) return known;
    validators ??= createAssetValidators(parts.catalog, { forDrafts: true });
    const scope = { release, sites, ownOnly, shared: shareOf(release) };
    const content = createReleaseContent({ ...parts, draftValidators: validators }, scope);
    contents.set(key, content);
    return content;
  };

  return { inRelease, queueOf: (release) => shareOf(release).queue };
}

// The content of a release: the reads and writes of the content service, on the live content with the drafts of the release over it.
// Writes change the drafts alone, and belong to no run.

/** Reads and writes content in a release. All calls have the error not_found for a release that does not exist. */
export interface ReleaseContent extends ContentCalls {
  /** The history of the draft of an asset. */
  readonly history: HistoryReader;
  /** Creates a writer that checks the writes of one request and carries none out. */
  trial(caller: Caller): Omit<TrialWriter, 'restore'>;
  /** Drops the draft of an asset. Errors: not_found when it has none; precondition_failed; forbidden; store_busy. */
  readonly discard: AssetDeleter;
  /** Returns a name of the present state of all drafts. */
  state(): Promise<string>;
}

/** The parts that all releases share. */
interface ReleaseParts {
  readonly catalog: Catalog;
  /** The store of the live content, without what a service adds to its writes. */
  readonly store: ContentStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly origins: RequestOrigins;
  readonly logger: Logger;
  readonly rules: ContentRules;
  readonly validators: AssetValidators;
  /** Those that accept missing values. */
  readonly draftValidators: AssetValidators;
  readonly keys: UniqueKeys;
  readonly shapeOf: ContentCalls['shapeOf'];
}

/** A release for some senders. */
interface ReleaseScope {
  readonly release: string;
  /** The sites that the senders are restricted to. */
  readonly sites: readonly string[] | undefined;
  /** Whether they discard only what nobody else has drafted. */
  readonly ownOnly: boolean;
  readonly shared: SharedRelease;
}

/** Creates the content of a release for senders with the same sites. Errors: not_supported. */
function createReleaseContent(parts: ReleaseParts, scope: ReleaseScope): ReleaseContent {
  const { catalog, clock, ids, origins, logger, validators, draftValidators, keys, shapeOf } = parts;
  const rules: ContentRules = {
    ...parts.rules,
    siteOwnerRequired: false,
    referencesChecked: false,
    drafts: true,
  };
  const preparer = createWritePreparer({ catalog, validators: draftValidators, clock, origins, rules });
  const open = (base: ContentStore, shared?: SharedRelease) => {
    const { release, sites, ownOnly } = scope;
    const drafts = createDraftStore({
      store: base,
      release,
      sites,
      ownOnly,
      catalog,
      clock,
      ids,
      ...(shared && { shared }),
    });
    const isTrial = !shared;
    const filed = keepFiles(drafts, { catalog, ids, isTrial, records: base });
    return { drafts, store: attributeCalls(filed, { origins, clock }) };
  };
  const { drafts, store } = open(parts.store, scope.shared);
  const finder = createAssetFinder({ catalog, store });
  const unfit = createUnfitContent({ catalog, validators, store, logger, clock });
  const writerOf = (written: ContentStore) => {
    const own = { catalog, preparer, keys, ids, rules, store: written };
    const ownFinder = createAssetFinder({ catalog, store: written });
    return { ...createAssetWriter({ ...own, finder: ownFinder }), ...createBatchWriter({ ...own, unfit }) };
  };
  const fresh = createFreshIds(ids);

  const discard: AssetDeleter = async ({ id: given, ifVersions }, _caller, reserved = fresh) => {
    const id = given.toLowerCase();
    const own = await recallEarlier(store, { id, reserved });
    if (own) return changeOf(store, own.id);
    await drafts.state();
    const draft = await drafts.findDraft(id);
    if (!draft && reserved.run === 'repeat') return {};
    if (!draft || !(await isSeen(id))) throw notFound(given, 'draft of the asset');
    // A deletion shows no asset, so its version is that of the draft alone.
    const { version } = (await drafts.get(id)) ?? draft;
    assertVersion({ ...(ifVersions && { ifVersions }) }, { asset: { _id: id }, version });
    await reserved.assertCurrent();
    const change = reserved.of(0).version('deleted');
    const { run: _, address: __, continueWork: ___, ...origin } = origins.current();
    const deletion = { id, change, ...(ifVersions && { ifVersion: draft.version }) };
    if (!(await drafts.drop(deletion, { ...origin, atMs: clock.nowMs() })))
      throw notFound(given, 'draft of the asset');
    return changeOf(store, change);
  };

  /** Whether the senders may see the asset live and as its draft leaves it, where it exists. */
  async function isSeen(id: string): Promise<boolean> {
    if (!scope.sites) return true;
    const live = await parts.store.get(id);
    const draft = await drafts.findDraft(id);
    const write = draft && toAssetWrite(draft);
    const shown = write?.kind === 'delete' ? live : await drafts.get(id);
    return [live, shown].every((one) => !one || isVisible(one.asset, { sites: scope.sites ?? [] }));
  }

  const reader = createHistoryReader({ catalog, store });
  /** Returns the `_id` that an ID means. Errors: not_found where the release or the asset does not exist for the senders. */
  async function findId(given: string): Promise<string> {
    const id = toAssetId(given);
    await drafts.state();
    if (!(await isSeen(id))) throw notFound(given);
    return id;
  }

  const history: HistoryReader = {
    get: async ({ id, moment }, caller) => reader.get({ id: await findId(id), moment }, caller),
    async list({ id: given, ...request }, { signal }) {
      const id = await findId(given);
      const page = await reader.list({ id, ...request }, signal ? { signal } : {});
      if (!scope.sites) return page;
      // A draft may have lain in another site before.
      return { ...page, entries: page.entries.map(({ before: _, ...entry }) => entry) };
    },
  };

  return {
    catalog,
    unfit,
    shapeOf,
    history,
    discard,
    state: drafts.state,
    finderOf: (part) => createAssetFinder({ catalog: part, store }),
    ...finder,
    ...createContentSelector({ catalog, store }),
    ...writerOf(store),
    trial: () => writerOf(open(createTrialStore(parts.store, { keysOf: () => [] })).store),
    revision: (...classNames) => store.revision(classNames),
    stateOf: (classNames) => store.revision(classNames),
  };
}
