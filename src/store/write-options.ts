/**
 * How several writes are applied, and what one batch of them may cost: the documents that it writes, and the time for which it has the
 * writer of a store to itself.
 */
import type { ChangeOrigin } from './changes.ts';

/** How several writes are applied. */
export interface WriteOptions {
  readonly atomic?: boolean;
  readonly origin?: ChangeOrigin;
  readonly signal?: AbortSignal | undefined;
  readonly budget?: WriteBudget;
}

/** Costs of writes, or what is left for them. */
export interface WriteCosts {
  /** The sizes of the written documents. */
  readonly bytes: number;
  /** The time at the writer; waiting for others does not count. */
  readonly ms: number;
}

/** What is left of a budget. A store that shares its writer among all senders keeps to it, and reports what it has spent. */
export type WriteBudget = ReturnType<typeof createWriteBudget>;

/** The size of the documents that a batch may write. */
const maxBytes = 67_108_864;

/** Creates the budget of a batch, which may have the writer for `maxMs`. */
export function createWriteBudget(maxMs: number) {
  let [bytes, ms] = [maxBytes, maxMs];
  return {
    left: (): WriteCosts => ({ bytes, ms }),
    spend(costs: WriteCosts) {
      bytes -= costs.bytes;
      ms -= costs.ms;
    },
  };
}
