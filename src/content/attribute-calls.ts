/**
 * The calls of the content service, and the attribution of every call of a store to the request that causes it: writes for the change log,
 * and reads that may have to wait for the turns of clients.
 */

import { notSupported } from '../base/errors.ts';
import { nameSender, type RequestOrigin, type RequestOrigins } from '../base/request-origin.ts';
import type { Clock } from '../base/runtime.ts';
import type { Catalog } from '../model/content-type.ts';
import type { ChangeOrigin } from '../store/changes.ts';
import type { AssetCalls, ContentStore } from '../store/port.ts';
import type { BatchWriter } from './batch/write-batch.ts';
import type { AssetFinder } from './reading/find-assets.ts';
import type { ContentSelector } from './reading/select-content.ts';
import type { UnfitContent } from './unfit/unfit-content.ts';
import type { AssetWriter } from './write-asset.ts';

/** Reads and writes the content of one catalog. */
export interface ContentCalls extends AssetFinder, ContentSelector, AssetWriter, BatchWriter {
  readonly catalog: Catalog;
  readonly unfit: UnfitContent;
  /** Creates a finder that knows a part of the catalog only. That of the content service reads the release that a caller names. */
  finderOf(catalog: Catalog): AssetFinder;
  /** Returns the shape of a content type by its class name, for ETags. */
  shapeOf(className: string): string;
  /** Returns a text that changes whenever any process has written an asset of one of these classes. */
  revision(...classNames: string[]): Promise<string>;
  /**
   * Returns a text that determines what reads of these classes return to one caller: it covers their writes by any process, and
   * whether stored assets are known not to fit their type. `undefined` if the store keeps no change log.
   */
  stateOf(classNames: readonly string[]): Promise<string | undefined>;
}

/** Where a write of a run comes from. */
export interface RunOrigin extends RequestOrigin {
  readonly run: string;
}

/** Decides which runs may write. */
export interface RunGuard {
  /** Rejects unless the run may write; begins a run that is new. Errors: run_foreign, run_closed. */
  assertMayWrite(origin: RunOrigin): Promise<void>;
  /** Rejects as `assertMayWrite` would, and begins no run. Errors: run_foreign, run_closed. */
  assertCouldWrite(origin: RunOrigin): Promise<void>;
}

/**
 * Returns the store with searches and reads of the log that have the current sender, and writes that have the current origin and time.
 *
 * Without `runs`, the writes belong to no run, whatever the request says: those of system records.
 * Errors of writes, besides the store's: those of `runs`; not_supported for a run on a store without a change log.
 */
export function attributeCalls(
  store: ContentStore,
  {
    origins,
    clock,
    runs,
  }: { origins: RequestOrigins; clock: Clock; runs?: Pick<RunGuard, 'assertMayWrite'> | undefined },
): ContentStore {
  async function findOrigin(): Promise<ChangeOrigin> {
    const { run, address: _, continueWork: __, ...origin } = origins.current();
    if (run === undefined || !runs) return { ...origin, atMs: clock.nowMs() };
    if (!store.capabilities.changes) throw notSupported('This store keeps no change log, so it has no runs');
    await runs.assertMayWrite({ ...origin, run });
    return { ...origin, run, atMs: clock.nowMs() };
  }
  const ofSender = <Request>(request: Request) => ({ ...request, client: nameSender(origins.current()) });
  const attribute = <Item>({ get, getChunk, find, patch }: AssetCalls<Item>): AssetCalls<Item> => ({
    get,
    getChunk,
    find: (request) => find(ofSender(request)),
    patch: async (change) => patch(change, await findOrigin()),
  });
  return {
    ...store,
    ...attribute(store),
    texts: attribute(store.texts),
    facets: (request) => store.facets(ofSender(request)),
    explain: (request) => store.explain(ofSender(request)),
    insert: async (stored) => store.insert(stored, await findOrigin()),
    delete: async (deletion) => store.delete(deletion, await findOrigin()),
    write: async (writes, options) => store.write(writes, { ...options, origin: await findOrigin() }),
    changes: {
      ...store.changes,
      read: (request) => store.changes.read(ofSender(request)),
      history: (request) => store.changes.history(ofSender(request)),
      stateOf: (asset, moment, caller) => store.changes.stateOf(asset, moment, ofSender(caller)),
      append: async (event) => store.changes.append(event, await findOrigin()),
      erase: async (erasure) => store.changes.erase(erasure, await findOrigin()),
    },
  };
}
