/**
 * The content service: the only way to read and write content, for every API and command, and the only caller of the store port.
 *
 * A service covers one catalog. The content types of users and those of Colophon's own records are two catalogs over one store,
 * so that neither service can see, write or reference the assets of the other.
 */

import { createRequestOrigins, type RequestOrigins } from '../base/request-origin.ts';
import { type Clock, type IdSource, type Logger, silentLogger } from '../base/runtime.ts';
import type { Catalog } from '../model/content-type.ts';
import { createAssetValidators } from '../model/values/validate-asset.ts';
import type { ContentStore } from '../store/port.ts';
import { createShapes } from '../types/type-shape.ts';
import { attributeCalls, type ContentCalls, type RunGuard } from './attribute-calls.ts';
import { createUniqueKeys } from './batch/unique-keys.ts';
import { createBatchWriter } from './batch/write-batch.ts';
import { createReleaseManager, type ReleaseManager } from './drafts/publication/release-manager.ts';
import type { ReleaseContent } from './drafts/releases.ts';
import { createReleases, type FindRelease } from './drafts/releases.ts';
import { type DeletedContent, eraseDeletions } from './erasure/erase-asset.ts';
import { createFeedReader, type FeedReader } from './feed/read-feed.ts';
import { fileClass } from './files/file-record.ts';
import { keepFiles } from './files/keep-files.ts';
import { type AssetHistory, createAssetHistory } from './history/asset-history.ts';
import { createHistoryReader } from './history/read-history.ts';
import { createTrials, type StartTrial } from './overlay/trial-writer.ts';
import { createUnseenConflicts, type UnseenConflicts } from './overlay/unseen-conflicts.ts';
import { type ContentRules, createWritePreparer } from './prepare-write.ts';
import { type AssetFinder, type AssetQuery, type Caller, createAssetFinder } from './reading/find-assets.ts';
import { createContentSelector } from './reading/select-content.ts';
import { createRunEntries, type RunEntries } from './runs/run-segment.ts';
import { createRunUndo, type RunUndo } from './runs/run-undo.ts';
import { createUnfitContent } from './unfit/unfit-content.ts';
import { createAssetWriter } from './write-asset.ts';

/** The store's types that this service returns, so that its users need not know the port. */
export type { StoredAsset } from '../store/port.ts';

/** Reads and writes the content of one catalog. */
export interface ContentService extends ContentCalls {
  readonly history: AssetHistory;
  readonly feed: FeedReader;
  readonly runEntries: RunEntries;
  readonly runUndo: RunUndo;
  /** Creates a writer that checks the writes of one request of a caller and carries none out. */
  readonly trial: StartTrial;
  /**
   * Returns the content of a release for a caller with these sites. Errors: not_supported without transactions or a change log; the
   * calls of what it returns also have not_found for a release that does not exist.
   */
  inRelease: FindRelease;
  readonly releases: ReleaseManager;
}

export function createContentService({
  catalog,
  store: givenStore,
  clock,
  ids,
  origins = createRequestOrigins(),
  runs,
  unseenConflicts = createUnseenConflicts(),
  logger = silentLogger,
  rules,
  deleted,
}: {
  catalog: Catalog;
  store: ContentStore;
  clock: Clock;
  ids: IdSource;
  /** Who causes the writes; absent means Colophon itself. */
  origins?: RequestOrigins;
  /** Which runs may write; absent means that the writes belong to no run. */
  runs?: RunGuard;
  /** The counts that other processes share; absent means own ones. */
  unseenConflicts?: UnseenConflicts;
  logger?: Logger;
  rules: ContentRules;
  /** Removes what is kept of deleted assets where deletions are erasures. */
  deleted?: DeletedContent;
}): ContentService {
  const sharedStore = rules.erasesDeletions ? eraseDeletions(givenStore, { catalog, deleted }) : givenStore;
  // System records name no files: those of files are among them.
  const filedStore = catalog.types.has(fileClass) ? sharedStore : keepFiles(sharedStore, { catalog, ids });
  const store = attributeCalls(filedStore, { origins, clock, runs });
  // A revert is a run that only it writes in.
  const undoStore = attributeCalls(filedStore, {
    origins,
    clock,
    runs: { assertMayWrite: async () => {} },
  });
  const finder = createAssetFinder({ catalog, store });
  const validators = createAssetValidators(catalog);
  const preparer = createWritePreparer({ catalog, validators, clock, origins, rules });
  const keys = createUniqueKeys(catalog);
  const unfit = createUnfitContent({ catalog, validators, store, logger, clock });
  const reader = createHistoryReader({ catalog, store });
  const shapeOf = createShapes(catalog);
  const { inRelease, queueOf } = createReleases({
    catalog,
    store: sharedStore,
    clock,
    ids,
    origins,
    logger,
    rules,
    validators,
    keys,
    shapeOf,
  });
  return {
    catalog,
    unfit,
    history: createAssetHistory({ catalog, validators, store, preparer, clock, ids, rules }),
    feed: createFeedReader({ catalog, store }),
    runEntries: createRunEntries(store.changes),
    runUndo: createRunUndo({ catalog, store: undoStore, validators, finder, rules, clock, ids }),
    trial: createTrials({
      catalog,
      validators,
      store,
      reader,
      finder,
      preparer,
      keys,
      unfit,
      ids,
      rules,
      origins,
      clock,
      runs,
      unseenConflicts,
    }),
    inRelease,
    releases: createReleaseManager({
      catalog,
      store: sharedStore,
      clock,
      ids,
      origins,
      runs,
      rules,
      validators,
      keys,
      queueOf,
    }),
    shapeOf,
    finderOf(part) {
      const finders = new WeakMap<ReleaseContent, AssetFinder>();
      return createPreviewFinder(createAssetFinder({ catalog: part, store }), (release, caller) => {
        const content = inRelease(release, caller);
        const known = finders.get(content) ?? content.finderOf(part);
        finders.set(content, known);
        return known;
      });
    },
    ...finder,
    ...createContentSelector({ catalog, store }),
    ...createAssetWriter({ catalog, store, finder, preparer, keys, ids, rules }),
    ...createBatchWriter({ catalog, store, preparer, keys, unfit, ids, rules }),
    revision: (...classNames) => store.revision(classNames),
    async stateOf(classNames) {
      if (!store.capabilities.changes) return undefined;
      const revision = await store.revision(classNames);
      return [revision, ...classNames.filter(unfit.hasUnfit)].join(' ');
    },
  };
}

/** Creates the finder. `finderIn` returns that of a release for a caller. */
function createPreviewFinder(
  live: AssetFinder,
  finderIn: (release: string, caller: Caller) => AssetFinder,
): AssetFinder {
  const of = (caller: Caller) => (caller.release === undefined ? live : finderIn(caller.release, caller));
  /** Binds the cursors of a query to the release. */
  const bound = (query: AssetQuery, { release }: Caller): AssetQuery =>
    release === undefined ? query : { ...query, boundTo: [...(query.boundTo ?? []), release] };
  return {
    get: (id, caller) => of(caller).get(id, caller),
    getText: (id, caller) => of(caller).getText(id, caller),
    getMany: (ids, caller) => of(caller).getMany(ids, caller),
    find: (query, caller) => of(caller).find(bound(query, caller), caller),
    open: (query, caller) => of(caller).open(bound(query, caller), caller),
    openTexts: (query, caller) => of(caller).openTexts(bound(query, caller), caller),
    check: (terms, caller) => of(caller).check(terms, caller),
    facets: (query, caller) => of(caller).facets(query, caller),
    explain: (query, caller) => of(caller).explain(query, caller),
  };
}
