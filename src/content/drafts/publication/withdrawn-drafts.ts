/**
 * Tells the drafts of withdrawn assets from those of new ones: both are creations. A withdrawn asset goes live only when somebody names it.
 */
import type { ContentStore } from '../../../store/port.ts';
import type { DraftRecord, StoredDraft } from '../draft-record.ts';

type Reads = Pick<ContentStore, 'changes' | 'getTypes'>;

/**
 * Checks whether a draft keeps an asset that was withdrawn. Records that do not say so are those of creations by other versions: there, a
 * history of the live asset tells it.
 */
export async function isWithdrawn(store: Reads, { action, asset, withdrawn }: DraftRecord): Promise<boolean> {
  if (action !== 'create') return false;
  if (withdrawn !== undefined) return withdrawn;
  if ((await store.getTypes([asset])).has(asset)) return false;
  const { entries } = await store.changes.history({ asset, limit: 1 });
  return entries.length > 0;
}

/** Divides drafts into those of withdrawn assets and the others. */
export async function divideWithdrawn(store: Reads, drafts: readonly StoredDraft[]) {
  const [withdrawn, others]: [StoredDraft[], StoredDraft[]] = [[], []];
  for (const draft of drafts) ((await isWithdrawn(store, draft.record)) ? withdrawn : others).push(draft);
  return { withdrawn, others };
}
