/**
 * Runs a server with something to query: an API client `demo` (secret `demo`, every scope), a user `demo@localhost` (password
 * `demo-demo-demo`) and sample content. Variables that are set take precedence.
 */

import type { Services } from '../../app/compose/services.ts';
import { type Config, type Environment, readConfig } from '../../app/config/config.ts';
import { runServer } from '../serving/run-server.ts';
import { createDemoClient } from './create-demo-client.ts';

const settings = {
  COLOPHON_DATA_DIR: 'data/demo',
  COLOPHON_CLIENT_ID: 'demo',
  COLOPHON_CLIENT_SECRET: 'demo',
  COLOPHON_ADMIN_EMAIL: 'demo@localhost',
  COLOPHON_ADMIN_PASSWORD: 'demo-demo-demo',
};

/** Starts the server; `fill` adds the sample content that is missing, and returns what to say about it. Errors: those of a start. */
export async function runDemo(
  environment: Environment,
  fill: (services: Services, config: Config) => Promise<string>,
): Promise<void> {
  const config = readConfig({ ...settings, ...environment });
  const { firstClientId: clientId = 'demo', firstClientSecret: secret = 'demo' } = config;
  await runServer(config, async ({ services, refresh }) => {
    await createDemoClient(services.clients, { clientId, secret });
    const summary = await fill(services, config);
    await refresh();
    console.log(`${summary}\nIts API client is ${clientId}, with every scope.`);
  });
}
