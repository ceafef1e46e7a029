/**
 * What a webhook that is started does with the assets that are on hold for it.
 */
import type { CursorState } from '../records/cursor-records.ts';
import type { HeldAsset, OwnedHolds } from '../records/held-assets.ts';
import { retryWaitsMs } from '../retry-table.ts';
import type { QueuedHold } from './delivery-queue.ts';

/** How a webhook is started: from the `former` state of its cursor, adapted to the present `state`. */
export interface Restart {
  readonly state: CursorState;
  readonly former: CursorState;
  /** Whether the webhook was changed since it was last started. */
  readonly isChanged: boolean;
  readonly nowMs: number;
}

/** Prepares the assets on hold for the queue. Deletes those whose changes a replay sends. Errors: LeaseTakenOver, the store's. */
export async function ownHolds(
  { found, owned }: { readonly found: readonly HeldAsset[]; readonly owned: OwnedHolds },
  { state, former, isChanged, nowMs }: Restart,
): Promise<{ readonly holds: readonly QueuedHold[]; readonly held: OwnedHolds }> {
  const isRestarted = state.startMark !== former.startMark;
  const holds: QueuedHold[] = [];
  for (const hold of found) {
    if (isRestarted && hold.seq > state.seq) {
      await owned.delete(hold.assetId);
      continue;
    }
    const isExhausted = hold.attempts > retryWaitsMs.length;
    holds.push({
      ...hold,
      heldUpTo: Math.max(hold.seq, former.seq),
      ...((isExhausted || isChanged) && { nextAttemptAtMs: nowMs }),
      ...(isExhausted && { attempts: 0, firstAttemptAtMs: nowMs }),
    });
  }
  return { holds, held: owned };
}
