/**
 * Waits for the numbering of the change log, which may be the work of another process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { storeBusy } from '../../../base/errors.ts';
import type { Database } from '../database.ts';

const pollMs = 20;

/** Waits until every entry that is visible now has its number. Errors: store_busy after `longestMs`. */
export async function waitForNumbers({ changes }: Database, longestMs: number): Promise<void> {
  // Not only what a majority has: reads of assets also return states that are not replicated yet.
  const waiting = { projection: { pending: 1 } } as const;
  const last = await changes.findOne({ pending: { $gt: 0 } }, { sort: { pending: -1 }, ...waiting });
  if (!last) return;
  const endMs = performance.now() + longestMs;
  const ours = { pending: { $gt: 0, $lte: last.pending ?? 0 } };
  while (await changes.findOne(ours, waiting)) {
    if (performance.now() > endMs) throw storeBusy('its change log is not numbered');
    await sleep(pollMs);
  }
}
