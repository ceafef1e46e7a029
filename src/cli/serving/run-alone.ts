/**
 * Runs a server as one process.
 */
import { pino } from 'pino';
import type { Config } from '../../app/config/config.ts';
import { greet } from './greeting.ts';
import type { Log } from './log-destination.ts';
import { logIgnoredVariables, type Prepare, serveInstance } from './serve-instance.ts';
import { stopOnSignals } from './stop-signals.ts';

/** Starts the server and says how to talk to it. Errors: those of a start. */
export async function runAlone({
  config,
  log,
  prepare,
}: {
  config: Config;
  log: Log;
  prepare: Prepare;
}): Promise<void> {
  const logger = pino({ level: config.logLevel }, log.destination);
  logIgnoredVariables(config, logger);
  const { server, made } = await serveInstance({ config, logger, prepare });
  stopOnSignals(async () => {
    await server.stop();
    await log.close();
  }, config);
  log.flush();
  // Printed last, because a process that waits for this line may stop the server at once.
  console.log(greet({ url: server.url, config, ...made }));
}
