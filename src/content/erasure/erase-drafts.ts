/**
 * Erases the drafts of assets, with their entries in the change log: those that exist, and those that were published or dropped.
 */
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ContentStore } from '../../store/port.ts';
import { draftClass, draftId, releaseId, type StoredDraft } from '../drafts/draft-record.ts';
import { findDrafts, readDraftsOf } from '../drafts/draft-source.ts';
import { createDraftPlan } from '../drafts/plan-drafts.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from '../repeat-write.ts';

/** How many entries of the log are read at a time. */
const entriesAtOnce = 500;

/**
 * Erases drafts. Each call returns whether there were any, and leaves what deleted rows leave in files for a purge. A store without a
 * change log has none.
 */
export interface DraftEraser {
  /** Erases the drafts that an asset has; with a `seq`, those that were begun before that entry of the log. */
  erasePresent(asset: string, beforeSeq?: number): Promise<boolean>;
  /** Erases what is kept of drafts of assets that were published or dropped, which it looks for in the whole log. Drafts stay. */
  eraseDropped(assets: ReadonlySet<string>): Promise<boolean>;
}

/** Creates the eraser. */
export function createDraftEraser({
  store,
  clock,
  ids,
}: {
  store: ContentStore;
  clock: Clock;
  ids: IdSource;
}): DraftEraser {
  const hasDrafts = () => store.capabilities.changes && store.capabilities.transactions;

  async function erasePresent(asset: string, beforeSeq?: number): Promise<boolean> {
    if (!hasDrafts()) return false;
    let hasErased = false;
    for (const draft of await readDraftsOf(store, asset)) {
      const id = draftId(draft.record.release, asset);
      if (beforeSeq !== undefined && !(await isBegunBefore(id, beforeSeq))) continue;
      await drop(draft);
      await store.changes.erase({ id, type: draftClass, change: ids.version(), purge: 'later' });
      hasErased = true;
    }
    return hasErased;
  }

  /** A draft whose beginning was trimmed from the log is older than what the log has. */
  async function isBegunBefore(id: string, seq: number): Promise<boolean> {
    for (let before: number | undefined; ; ) {
      const request = { asset: id, limit: entriesAtOnce, ...(before !== undefined && { before }) };
      const page = await store.changes.history(request);
      const begin = page.entries.find(({ action }) => action === 'create');
      if (begin) return begin.seq !== undefined && begin.seq < seq;
      if (page.next === undefined) return true;
      before = page.next;
    }
  }

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

  /** The entry of a deletion has the whole record, which names the asset. */
  async function eraseDropped(assets: ReadonlySet<string>): Promise<boolean> {
    if (!hasDrafts()) return false;
    const known = new Set<string>();
    const filter = { types: [draftClass], actions: ['delete'] as const };
    for (let from: number | undefined, isLast = false; !isLast; ) {
      const request = { order: 'newest first', limit: entriesAtOnce, filter } as const;
      const page = await store.changes.read({ ...request, ...(from !== undefined && { from }) });
      for (const { asset: id, before } of page.entries)
        if (typeof before?.asset === 'string' && assets.has(before.asset)) known.add(id);
      from = page.next;
      isLast = from === undefined;
    }
    for (const id of known) await eraseHistory(id);
    return known.size > 0;
  }

  /** Erases the history of a draft. One that was begun anew under the same ID is written again in the same step, so that it stays. */
  async function eraseHistory(id: string): Promise<void> {
    for (let attempts = 1; ; attempts++) {
      const change = ids.version();
      const present = await store.get(id);
      if (!present) {
        await store.changes.erase({ id, type: draftClass, change, purge: 'later' });
        return;
      }
      const removal = { id, type: draftClass, change, ifVersion: present.version, erase: true } as const;
      const outcomes = await store.write(
        [
          { kind: 'delete', ...removal },
          { kind: 'insert', ...present },
        ],
        { atomic: true },
      );
      if (outcomes.every(({ kind }) => kind === 'done')) return;
      if (!mayTryAgain(attempts)) throw overtakenTooOften();
      await pauseAfter(attempts);
    }
  }

  return { erasePresent, eraseDropped };
}
