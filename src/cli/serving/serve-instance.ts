/**
 * Composes an instance and starts its server, in this process alone or in a worker.
 */
import { compose, type Instance } from '../../app/compose/compose.ts';
import type { InstanceOptions } from '../../app/compose/runtime.ts';
import type { Config } from '../../app/config/config.ts';
import { createFirstAccounts, type FirstAccounts } from '../../app/server/first-accounts.ts';
import { type ConnectionSource, type RunningServer, startServer } from '../../app/server/server.ts';
import { createRequestOrigins } from '../../base/request-origin.ts';
import { type Logger, randomIds, systemClock } from '../../base/runtime.ts';
import { limitNewSpace, releaseStartMemory } from './gc-tuning.ts';

/** Work on a new instance before it answers requests, such as filling its store; `url` is the address where it listens. */
export type Prepare = (instance: Instance, url: string) => Promise<void>;

/** Logs the variables that are not settings. */
export function logIgnoredVariables({ ignoredVariables: variables }: Config, logger: Logger): void {
  if (variables.length > 0) logger.info({ variables }, 'variables of Kubernetes services are ignored');
}

/** An instance that answers requests. */
export interface ServedInstance {
  readonly instance: Instance;
  readonly server: RunningServer;
  readonly made: FirstAccounts;
}

/** Composes an instance and starts its server. Errors: those of `compose`, `prepare` and `startServer`. */
export async function serveInstance({
  config,
  logger,
  prepare,
  isFirst = true,
  options,
  connect,
}: {
  config: Config;
  logger: Logger;
  prepare: Prepare;
  /** Whether this instance prepares the store and creates the first accounts. */
  isFirst?: boolean;
  options?: InstanceOptions;
  connect?: ConnectionSource;
}): Promise<ServedInstance> {
  const runtime = { logger, clock: systemClock, ids: randomIds, origins: createRequestOrigins() };
  const instance = await compose(config, runtime, options);
  releaseStartMemory();
  limitNewSpace();
  let made: FirstAccounts = {};
  // Runs only once the port is bound, so that a failed start loads nothing, and creates no client or user whose secrets were never shown.
  const prepareStore = async (url: string) => {
    if (isFirst) await prepare(instance, url);
    if (isFirst) made = await createFirstAccounts(instance.services, config, logger);
    await instance.refresh();
  };
  try {
    const source = connect && { connect };
    const server = await startServer({ instance, config, logger, prepare: prepareStore, ...source });
    return { instance, server, made };
  } catch (error) {
    await instance.close();
    throw error;
  }
}
