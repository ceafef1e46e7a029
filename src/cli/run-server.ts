/**
 * Runs an instance in the foreground: from a configuration to a listening server, until a signal stops it.
 *
 * What people read goes to standard output, the log to standard error.
 */
import { pino } from 'pino';
import { type ApiCredentials, createFirstApiClient } from '../access/clients/api-clients.ts';
import { findIgnoredCredentials } from '../access/compare-first-accounts.ts';
import { createFirstUser, type SignIn } from '../access/users/users.ts';
import { compose, type Instance } from '../app/compose.ts';
import type { Config } from '../app/config.ts';
import { startServer } from '../app/server.ts';
import { createRequestOrigins } from '../base/request-origin.ts';
import { type Logger, randomIds, systemClock } from '../base/runtime.ts';
import { releaseStartMemory } from './gc-tuning.ts';
import { greet } from './greeting.ts';
import { openLog } from './log-destination.ts';

/** Starts an instance and says how to talk to it; `prepare` runs before it listens. */
export async function runServer(
  config: Config,
  prepare: (instance: Instance) => Promise<void> = async () => {},
): Promise<void> {
  const log = openLog();
  const logger = pino({ level: config.logLevel }, log.destination);
  const abandon = async (error: unknown): Promise<never> => {
    await log.close();
    throw error;
  };
  if (config.ignoredVariables.length > 0) {
    logger.info({ variables: config.ignoredVariables }, 'variables of Kubernetes services are ignored');
  }
  const instance = await compose(config, {
    logger,
    clock: systemClock,
    ids: randomIds,
    origins: createRequestOrigins(),
  }).catch(abandon);
  releaseStartMemory();
  let made: Made = { client: undefined, user: undefined };
  // Runs only once the port is bound, so that a failed start creates no client or user whose secrets were never shown.
  const makeFirst = async () => {
    made = await createFirst(instance, config, logger);
    await instance.refresh();
  };
  const server = await prepare(instance)
    .then(() => startServer({ instance, config, logger, prepare: makeFirst }))
    .catch(async (error: unknown) => {
      await instance.close();
      return abandon(error);
    });
  let stopping = false;
  const stop = async () => {
    // One wish to stop may come as several signals: from a terminal, and again from what started this process.
    if (stopping) return;
    stopping = true;
    await server.stop();
    await log.close();
    process.exit();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  log.flush();
  // Printed last, because a process that waits for this line may stop the server at once.
  console.log(greet({ url: server.url, config, ...made }));
}

/** The client and the user that a start created in an empty store. */
interface Made {
  readonly client: ApiCredentials | undefined;
  readonly user: SignIn | undefined;
}

async function createFirst(instance: Instance, config: Config, logger: Logger): Promise<Made> {
  const {
    firstClientId: clientId,
    firstClientSecret: secret,
    adminEmail: email,
    adminPassword: password,
  } = config;
  const client = await createFirstApiClient(instance.clients, {
    ...(clientId ? { clientId } : {}),
    ...(secret ? { secret } : {}),
  });
  const user = await createFirstUser(instance.users, {
    ...(email ? { email } : {}),
    ...(password ? { password } : {}),
  });
  const ignored = await findIgnoredCredentials(instance, {
    ...(client ? {} : { clientId, secret }),
    ...(user ? {} : { email, password }),
  });
  for (const sentence of ignored) logger.warn({}, sentence);
  return { client, user };
}
