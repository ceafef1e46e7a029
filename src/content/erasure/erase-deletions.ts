/**
 * A store whose deletions of content are erasures: each removes the history of its asset in the same step. What lies outside, such as
 * drafts and kept responses, is removed right after the step; see `erasure-sweep.ts`.
 */
import type { Catalog } from '../../model/content-type.ts';
import type { AssetDeletion, ContentStore } from '../../store/port.ts';

/** What is removed after a deletion. */
export interface DeletedContent {
  /** Removes what is kept of deleted assets outside the store's own step. Never rejects: what fails is tried again. */
  finish(): Promise<void>;
}

/**
 * Returns the store. A deletion that says `erase: false` only moves its asset, and stays as it is. A store without a change log keeps
 * nothing of what is deleted.
 */
export function eraseDeletions(
  store: ContentStore,
  { catalog, deleted }: { catalog: Pick<Catalog, 'types'>; deleted?: DeletedContent | undefined },
): ContentStore {
  if (!store.capabilities.changes) return store;
  const toErasure = <Deletion extends AssetDeletion>(deletion: Deletion): Deletion =>
    deletion.erase === undefined && catalog.types.has(deletion.type)
      ? { ...deletion, erase: true }
      : deletion;
  return {
    ...store,
    async delete(deletion, origin) {
      const erasure = toErasure(deletion);
      const isDone = await store.delete(erasure, origin);
      if (isDone && erasure.erase) await deleted?.finish();
      return isDone;
    },
    async write(writes, options) {
      const erasing = writes.map((write) => (write.kind === 'delete' ? toErasure(write) : write));
      const outcomes = await store.write(erasing, options);
      const hasErased = erasing.some(
        (write, n) => write.kind === 'delete' && write.erase && outcomes[n]?.kind === 'done',
      );
      if (hasErased) await deleted?.finish();
      return outcomes;
    },
  };
}
