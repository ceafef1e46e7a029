/**
 * Runs an instance in the foreground: from a configuration to a listening server, until a signal stops it.
 *
 * What people read goes to standard output, the log to standard error.
 */
import { pino } from 'pino';
import { type ApiCredentials, createFirstApiClient } from '../access/api-clients.ts';
import { compose, type Instance } from '../app/compose.ts';
import type { Config } from '../app/config.ts';
import { type RunningServer, startServer } from '../app/server.ts';
import { randomIds, systemClock } from '../base/runtime.ts';

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
  try {
    await prepare(instance);
    server = await startServer({ instance, config, logger });
    // Only now, for a start that fails would have shown its secret to nobody.
    const given = givenCredentials(config);
    const first = await createFirstApiClient(instance.clients, given);
    await instance.refreshClients();
    destination.flushSync();
    console.log(greet({ url: server.url, cmaPath: config.cmaPath, first, given }));
  } catch (error) {
    await (server ? server.stop() : instance.close());
    throw error;
  }
  const stop = async () => {
    await server.stop();
    clearInterval(flushing);
    destination.flushSync();
    process.exit();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function givenCredentials({ firstClientId, firstClientSecret }: Config): Partial<ApiCredentials> {
  return {
    ...(firstClientId ? { clientId: firstClientId } : {}),
    ...(firstClientSecret ? { secret: firstClientSecret } : {}),
  };
}

/** A secret that was made up is shown here and never again; one that was given is shown to nobody. */
function greet({ url, cmaPath, first, given }: Greeting): string {
  const listening = `Colophon is listening on ${url}`;
  if (!first) return listening;
  const { clientId, secret } = first;
  if (given.secret !== undefined) {
    return `${listening}\nThe first API client is ${clientId}, with the secret of COLOPHON_CLIENT_SECRET.`;
  }
  const headers = [`X-Client-Id: ${clientId}`, `X-Client-Secret: ${secret}`];
  const options = headers.map((header) => `-H ${quoteForShell(header)}`).join(' ');
  return `${listening}

The first API client, shown this once:
  ID      ${clientId}
  Secret  ${secret}

Try it:
  curl ${options} '${url}${cmaPath}?from=com.colophon.cms.db.Site'
`;
}

interface Greeting {
  readonly url: string;
  readonly cmaPath: string;
  /** The client that this start made, if it did. */
  readonly first: ApiCredentials | undefined;
  readonly given: Partial<ApiCredentials>;
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
