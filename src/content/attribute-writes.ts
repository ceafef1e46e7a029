/**
 * Attributes every write of a store to the request that causes it, for the change log.
 */
import type { RequestOrigins } from '../base/request-origin.ts';
import type { Clock } from '../base/runtime.ts';
import type { ChangeOrigin } from '../store/changes.ts';
import type { ContentStore } from '../store/port.ts';

/** Returns the store with writes that have the current origin and time. */
export function attributeWrites(
  store: ContentStore,
  { origins, clock }: { origins: RequestOrigins; clock: Clock },
): ContentStore {
  const origin = (): ChangeOrigin => ({ ...origins.current(), atMs: clock.nowMs() });
  return {
    ...store,
    insert: (stored) => store.insert(stored, origin()),
    patch: (patch) => store.patch(patch, origin()),
    delete: (deletion) => store.delete(deletion, origin()),
    write: (writes, options) => store.write(writes, { ...options, origin: origin() }),
  };
}
