/**
 * Runs a parent: listens, and passes the connections to its workers, which are processes of the same program.
 *
 * All log lines go through this process, which writes whole lines.
 */
import { createServer } from 'node:net';
import { pino } from 'pino';
import { readFolder } from '../../app/chosen-types.ts';
import type { Config } from '../../app/config/config.ts';
import { listen } from '../../app/server/listen.ts';
import { createConnectionSpread } from '../../app/workers/connection-spread.ts';
import { superviseWorkers, WorkerStartError } from '../../app/workers/supervise-workers.ts';
import { readVersion } from '../../base/package-root.ts';
import { adapterOf } from '../../store/open-store.ts';
import { greet } from './greeting.ts';
import type { Log } from './log-destination.ts';
import { stopOnSignals } from './stop-signals.ts';

/** Starts the workers and says how to talk to them. Errors: bad_types, those of listening. */
export async function runParent(config: Config, log: Log): Promise<void> {
  const logger = pino({ level: config.logLevel }, log.destination);
  const types = readFolder(config.typesDir);
  const writer = await adapterOf(config).shareWriter?.(logger);
  const spread = createConnectionSpread();
  // Paused, so that nothing is read before a worker has the connection.
  const server = createServer({ pauseOnConnect: true, noDelay: true }, spread.add);
  const url = await listen(server, config);
  const [, file = '', ...words] = process.argv;
  const exit = async (exitCode: number): Promise<never> => {
    await log.close();
    process.exit(exitCode);
  };
  const workers = await superviseWorkers({
    count: config.workers,
    program: { file, words, environment: process.env, readLog: log.forward },
    start: { version: readVersion(), url, types },
    spread,
    writer,
    shutdownMs: config.shutdownMs,
    logger,
    onLost() {
      logger.error({}, 'No worker can be started');
      void exit(1);
    },
  }).catch((error: unknown) => {
    server.close();
    // The worker has said why.
    if (error instanceof WorkerStartError && error.end.exitCode) return exit(error.end.exitCode);
    throw error;
  });
  stopOnSignals(async () => {
    logger.info({}, 'stopping');
    server.close();
    await workers.stop();
    await writer?.stop();
    logger.info({}, 'stopped');
    await log.close();
  }, config);
  log.flush();
  console.log(greet({ url, config, ...workers.made }));
}
