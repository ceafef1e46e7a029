/**
 * Runs an instance in the foreground: from a configuration to a listening server, until a signal stops it.
 *
 * What people read goes to standard output, the log to standard error.
 */
import { pino } from 'pino';
import { type ApiCredentials, createFirstApiClient } from '../access/api-clients.ts';
import { createFirstUser, type SignIn } from '../access/users.ts';
import { compose, type Instance } from '../app/compose.ts';
import type { Config } from '../app/config.ts';
import { type RunningServer, startServer } from '../app/server.ts';
import { randomIds, systemClock } from '../base/runtime.ts';
import { greet } from './greeting.ts';

/** Starts an instance and says how to talk to it; `prepare` runs before it listens. */
export async function runServer(
  config: Config,
  prepare: (instance: Instance) => Promise<void> = async () => {},
): Promise<void> {
  // Written in blocks, off the event loop; what is left is flushed on the way out.
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4096 });
  const logger = pino({ level: config.logLevel }, destination);
  const flushing = setInterval(() => destination.flush(), 1000).unref();
  const instance = await compose(config, { logger, clock: systemClock, ids: randomIds });
  let server: RunningServer | undefined;
  let greeting: string;
  try {
    await prepare(instance);
    server = await startServer({ instance, config, logger });
    // Only now, for a start that fails would have shown their secrets to nobody.
    const client = await createFirstApiClient(instance.clients, givenCredentials(config));
    const user = await createFirstUser(instance.users, givenSignIn(config));
    await instance.refresh();
    greeting = greet({ url: server.url, config, client, user });
  } catch (error) {
    await (server ? server.stop() : instance.close());
    throw error;
  }
  let stopping = false;
  const stop = async () => {
    // One wish to stop may come as several signals: from a terminal, and again from what started this process.
    if (stopping) return;
    stopping = true;
    await server.stop();
    clearInterval(flushing);
    destination.flushSync();
    process.exit();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  destination.flushSync();
  // Last of all: whoever waits for it may end this process at once.
  console.log(greeting);
}

function givenCredentials({ firstClientId, firstClientSecret }: Config): Partial<ApiCredentials> {
  return {
    ...(firstClientId ? { clientId: firstClientId } : {}),
    ...(firstClientSecret ? { secret: firstClientSecret } : {}),
  };
}

function givenSignIn({ adminEmail, adminPassword }: Config): Partial<SignIn> {
  return {
    ...(adminEmail ? { email: adminEmail } : {}),
    ...(adminPassword ? { password: adminPassword } : {}),
  };
}
