/**
 * `colophon serve`: starts the server and says how to talk to it.
 */
import { pino } from 'pino';
import { type ApiCredentials, createFirstApiClient } from '../../access/api-clients.ts';
import { compose } from '../../app/compose.ts';
import { type Config, readConfig } from '../../app/config.ts';
import { startServer } from '../../app/server.ts';
import { randomIds, systemClock } from '../../base/runtime.ts';
import type { Command } from '../command.ts';

export const serveCommand: Command = {
  name: 'serve',
  synopsis: '',
  summary: 'start the server; COLOPHON_* variables configure it',
  positionals: 0,
  options: {},
  async run() {
    const config = readConfig(process.env);
    // To standard error, in blocks off the event loop; what is left is flushed on the way out.
    const destination = pino.destination({ dest: 2, sync: false, minLength: 4096 });
    const logger = pino({ level: config.logLevel }, destination);
    const flushing = setInterval(() => destination.flush(), 1000).unref();
    const instance = await compose(config, { logger, clock: systemClock, ids: randomIds });
    const first = await createFirstApiClient(instance.clients, givenCredentials(config));
    await instance.refreshClients();
    const server = await startServer({ instance, config, logger });
    destination.flushSync();
    console.log(`Colophon is listening on ${server.url}`);
    if (first) console.log(welcome(server.url + config.cmaPath, first));
    const stop = async () => {
      await server.stop();
      clearInterval(flushing);
      destination.flushSync();
      process.exit();
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  },
};

function givenCredentials({ firstClientId, firstClientSecret }: Config): Partial<ApiCredentials> {
  return {
    ...(firstClientId ? { clientId: firstClientId } : {}),
    ...(firstClientSecret ? { secret: firstClientSecret } : {}),
  };
}

/** The secret is shown here and never again. */
function welcome(cmaUrl: string, { clientId, secret }: ApiCredentials): string {
  return `
The first API client, shown this once:
  ID      ${clientId}
  Secret  ${secret}

Try it:
  curl -H 'X-Client-Id: ${clientId}' -H 'X-Client-Secret: ${secret}' '${cmaUrl}?from=com.example.news.Article'
`;
}
