/**
 * Attributes every write of a store to the request that causes it, for the change log.
 */
import { notSupported } from '../base/errors.ts';
import type { RequestOrigin, RequestOrigins } from '../base/request-origin.ts';
import type { Clock } from '../base/runtime.ts';
import type { ChangeOrigin } from '../store/changes.ts';
import type { ContentStore } from '../store/port.ts';

/** Where a write of a run comes from. */
export interface RunOrigin extends RequestOrigin {
  readonly run: string;
}

/** Decides which runs may write. */
export interface RunGuard {
  /** Rejects unless the run may write; begins a run that is new. Errors: run_foreign, run_closed. */
  assertMayWrite(origin: RunOrigin): Promise<void>;
}

/**
 * Returns the store with writes that have the current origin and time.
 *
 * Without `runs`, the writes belong to no run, whatever the request says: those of system records.
 * Errors of writes, besides the store's: those of `runs`; not_supported for a run on a store without a change log.
 */
export function attributeWrites(
  store: ContentStore,
  { origins, clock, runs }: { origins: RequestOrigins; clock: Clock; runs?: RunGuard | undefined },
): ContentStore {
  async function findOrigin(): Promise<ChangeOrigin> {
    const { run, ...origin } = origins.current();
    if (run === undefined || !runs) return { ...origin, atMs: clock.nowMs() };
    if (!store.capabilities.changes) throw notSupported('This store keeps no change log, so it has no runs');
    await runs.assertMayWrite({ ...origin, run });
    return { ...origin, run, atMs: clock.nowMs() };
  }
  return {
    ...store,
    insert: async (stored) => store.insert(stored, await findOrigin()),
    patch: async (patch) => store.patch(patch, await findOrigin()),
    delete: async (deletion) => store.delete(deletion, await findOrigin()),
    write: async (writes, options) => store.write(writes, { ...options, origin: await findOrigin() }),
    texts: {
      ...store.texts,
      patch: async (patch) => store.texts.patch(patch, await findOrigin()),
    },
    changes: {
      ...store.changes,
      append: async (event) => store.changes.append(event, await findOrigin()),
      erase: async (erasure) => store.changes.erase(erasure, await findOrigin()),
    },
  };
}
