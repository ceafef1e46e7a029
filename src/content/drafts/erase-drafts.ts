/**
 * Erases the drafts of an asset, with their entries in the change log: those that it has, and those that were published or dropped.
 */
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ContentStore } from '../../store/port.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from '../repeat-write.ts';
import { draftClass, draftId, releaseId, type StoredDraft } from './draft-record.ts';
import { findDrafts, readDraftsOf } from './draft-source.ts';
import { createDraftPlan } from './plan-drafts.ts';

/** How many entries of the log are read at a time. */
const entriesAtOnce = 500;

/** Erases all drafts of an asset; returns whether there were any. A store without a change log has none. */
export type DraftEraser = (asset: string) => Promise<boolean>;

/** Creates the function. */
export function createDraftEraser({
  store,
  clock,
  ids,
}: {
  store: ContentStore;
  clock: Clock;
  ids: IdSource;
}): DraftEraser {
  return async (asset) => {
    if (!store.capabilities.changes || !store.capabilities.transactions) return false;
    const known = new Set<string>();
    for (const draft of await readDraftsOf(store, asset)) {
      known.add(draftId(draft.record.release, asset));
      await drop(draft);
    }
    for await (const id of findDropped(asset)) known.add(id);
    for (const id of known) await store.changes.erase({ id, type: draftClass, change: ids.version() });
    return known.size > 0;
  };

  /** Deletes a draft and counts the drafts of its release again, in one step. */
  async function drop({ record: { release, asset } }: StoredDraft): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      const owner = await store.get(releaseId(release));
      const draft = (await findDrafts(store, release, { assets: [asset] })).get(asset);
      if (!draft) return;
      const plan = createDraftPlan({ release, clock, ids }, owner);
      plan.record({ kind: 'drop' }, { draft, change: ids.version() });
      const outcomes = await store.write(plan.end().records, { atomic: true });
      if (outcomes.every(({ kind }) => kind === 'done')) return;
      if (!mayTryAgain(attempts)) throw overtakenTooOften();
      await pauseAfter(attempts);
    }
  }

  /** Finds the records of drafts that do not exist any more: the entry of a deletion has the whole record. */
  async function* findDropped(asset: string): AsyncGenerator<string> {
    const filter = { types: [draftClass], actions: ['delete'] as const };
    for (let from: number | undefined, isLast = false; !isLast; ) {
      const request = { order: 'newest first', limit: entriesAtOnce, filter } as const;
      const page = await store.changes.read({ ...request, ...(from !== undefined && { from }) });
      for (const entry of page.entries) if (entry.before?.asset === asset) yield entry.asset;
      from = page.next;
      isLast = from === undefined;
    }
  }
}
