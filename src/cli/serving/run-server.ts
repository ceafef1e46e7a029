/**
 * Runs a server in the foreground, from a configuration until a signal stops it: as one process, as the parent of several workers, or
 * as a worker. Each loads only what it needs.
 *
 * What people read goes to standard output, the log to standard error.
 */
import type { Config } from '../../app/config/config.ts';
import { openLog } from './log-destination.ts';
import type { Prepare } from './serve-instance.ts';

/** Starts a server and says how to talk to it; `prepare` runs before it answers requests. */
export async function runServer(config: Config, prepare: Prepare = async () => {}): Promise<void> {
  const log = openLog();
  try {
    if (config.worker !== undefined) {
      const { runWorker } = await import('./run-worker.ts');
      await runWorker({ config, log, worker: config.worker, prepare });
    } else if (config.workers > 1) {
      const { runParent } = await import('./run-parent.ts');
      await runParent(config, log);
    } else {
      const { runAlone } = await import('./run-alone.ts');
      await runAlone({ config, log, prepare });
    }
  } catch (error) {
    await log.close();
    throw error;
  }
}
