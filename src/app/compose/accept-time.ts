/**
 * Accepts the present time for a store whose clock is far beyond what it had seen; `content/changes/clock-watch.ts` says what waits for it.
 */
import { findHighestTime } from '../../content/changes/clock-watch.ts';
import type { Config } from '../config/config.ts';
import { openSystem } from './compose-commands.ts';
import type { Runtime } from './runtime.ts';

/** Makes the store take the present time; returns it, and the highest one that the store had seen. Errors: bad_config, store_busy, store_failure. */
export async function acceptTime(
  config: Config,
  runtime: Runtime,
): Promise<{ readonly former: number | undefined; readonly accepted: number }> {
  const store = await openSystem(config, runtime, {});
  try {
    const former = await findHighestTime(store);
    // Each process and the database server has another clock.
    const accepted = Math.max(runtime.clock.nowMs(), (await store.readClock()) ?? 0);
    await store.keepTime({ atMs: accepted, isAccepted: true });
    return { former, accepted };
  } finally {
    await store.close();
  }
}
