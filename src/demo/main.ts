/**
 * `npm run demo`: an instance with something real to query, in `data/demo`, with the API client `demo` (secret `demo`, every scope)
 * and the user `demo@localhost` with the password `demo-demo-demo`.
 */
import { readConfig } from '../app/config/config.ts';
import { runServer } from '../cli/serving/run-server.ts';
import { createDemoClient } from './create-demo-client.ts';
import { loadSpeeches } from './load-speeches.ts';
import { publishSpeeches } from './publish-speeches.ts';

const defaults = {
  COLOPHON_DATA_DIR: 'data/demo',
  COLOPHON_CLIENT_ID: 'demo',
  COLOPHON_CLIENT_SECRET: 'demo',
  COLOPHON_ADMIN_EMAIL: 'demo@localhost',
  COLOPHON_ADMIN_PASSWORD: 'demo-demo-demo',
};

const config = readConfig({ ...defaults, ...process.env });
const { firstClientId: clientId = 'demo', firstClientSecret: secret = 'demo' } = config;

await runServer(config, async ({ services, refresh }) => {
  const { clients, content, upload, restEndpoints } = services;
  await createDemoClient(clients, { clientId, secret });
  const { speeches, presidents, parties } = await loadSpeeches(content, upload);
  await publishSpeeches(restEndpoints);
  await refresh();
  console.log(`The demo has ${speeches} speeches by ${presidents} presidents of ${parties} parties.`);
  console.log(`Its API client is ${clientId}, with every scope.`);
  console.log('docs/getting-started.md has queries for it.');
});
