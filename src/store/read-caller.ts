/**
 * Who waits for a read of a store that runs in turns (`base/fair-queue.ts`).
 */

/** Who waits for a read whose turn must come. */
export interface ReadCaller {
  /** Whose turn it takes. */
  readonly client?: string | undefined;
  /** Ends the read, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How many calls of one client may wait for a turn. */
export const maxWaitingReads = 1_000;
