/**
 * Runs a worker: an instance that gets its connections from the parent that has started this process.
 */
import { pino } from 'pino';
import type { Config } from '../../app/config/config.ts';
import { openParentChannel } from '../../app/workers/parent-channel.ts';
import { badConfig } from '../../base/errors.ts';
import { readVersion } from '../../base/package-root.ts';
import type { Log } from './log-destination.ts';
import { logIgnoredVariables, type Prepare, serveInstance } from './serve-instance.ts';

/**
 * Serves until the parent ends or tells the worker to stop. Errors: those of a start, and bad_config without a parent, or with one of
 * another version.
 */
export async function runWorker({
  config,
  log,
  worker,
  prepare,
}: {
  config: Config;
  log: Log;
  worker: number;
  prepare: Prepare;
}): Promise<void> {
  if (!process.send) {
    throw badConfig([{ path: 'COLOPHON_WORKER', message: 'is what Colophon sets for its own processes' }]);
  }
  const channel = openParentChannel();
  // A worker without its parent ends at once. `process.exit` would first try for ever to write the log to the parent.
  const abandon = () => process.kill(process.pid, 'SIGKILL');
  process.once('disconnect', abandon);
  const { version, url, types, isFirst } = await channel.start;
  assertVersion(version);
  const logger = pino({ level: config.logLevel }, log.destination).child({ worker });
  if (isFirst) logIgnoredVariables(config, logger);
  const { instance, server, made } = await serveInstance({
    config,
    logger,
    prepare,
    isFirst,
    options: {
      types,
      refreshOthers: channel.refreshOthers,
      collectAll: channel.collectAll,
      openWriterChannel: channel.openStoreChannel,
    },
    connect: async (httpServer) => {
      channel.passConnections(httpServer);
      return url;
    },
  }).catch((error: unknown) => {
    // An open channel keeps the process running.
    process.off('disconnect', abandon);
    process.disconnect();
    throw error;
  });
  channel.answerRefreshes(instance.refresh);
  channel.answerCollections(instance.collect);
  channel.shareWrongCredentials(instance.services.wrongCredentials);
  channel.shareUnseenConflicts(instance.services.unseenConflicts);
  const { rateLimits } = instance.services;
  if (rateLimits) channel.exchangeCharges(rateLimits);
  // Signals to the whole group reach the parent as well, which then stops all workers.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, channel.leave);
  void channel.stopped.then(async () => {
    await server.stop();
    await log.close();
    process.exit();
  });
  channel.reportReady(made);
}

/** The package may be replaced while the parent runs; processes of two versions may not understand each other. */
function assertVersion(version: string): void {
  const installed = readVersion();
  if (installed === version) return;
  const message = `has version ${installed}, and the server was started with ${version}: restart the server`;
  throw badConfig([{ path: 'the installed package', message }]);
}
