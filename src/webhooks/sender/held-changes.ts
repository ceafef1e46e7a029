/**
 * Finds the changes of assets on hold in the log: the queue keeps only where they begin and how far they reach.
 */
import type { DeliveryQueue, QueuedChange, QueuedHold } from './delivery-queue.ts';
import type { MatchingChanges } from './matching-changes.ts';

/** Finds the changes of assets on hold. */
export interface HeldChanges {
  /** Finds the change that an asset waits for, or the next one if it was erased, trimmed, or does not match any more. */
  findFirst(hold: QueuedHold): Promise<QueuedChange | undefined>;
  /** Finds the next matching change of an asset behind a delivered one; `undefined` when nothing more is on hold. */
  findNext(asset: string, after: number): Promise<QueuedChange | undefined>;
}

/** Creates it. */
export function createHeldChanges(matching: MatchingChanges, queue: DeliveryQueue): HeldChanges {
  /** Further changes may be put on hold while the log is read. */
  const reach = (asset: string) => queue.findHold(asset)?.heldUpTo ?? 0;

  const findNext: HeldChanges['findNext'] = async (asset, after) => {
    for (let seq = after; seq < reach(asset); ) {
      const page = await matching.readOfAsset(asset, seq);
      const [first] = page.changes;
      // What comes later than is on hold is in the queue, or will be.
      if (first) return first.seq <= reach(asset) ? first : undefined;
      seq = page.upTo;
    }
    return undefined;
  };

  return {
    findNext,
    async findFirst({ assetId, seq }) {
      const found = await matching.find(seq);
      return found?.asset === assetId ? found : findNext(assetId, seq);
    },
  };
}
