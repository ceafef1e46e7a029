/**
 * Runs a server with something to query: an API client `demo` (secret `demo`, every scope), a user `demo@localhost` (password
 * `demo-demo-demo`) and sample content in its own types. Other variables that are set take precedence.
 */
import { type Environment, readConfig } from '../../app/config/config.ts';
import { badConfig } from '../../base/errors.ts';
import { runServer } from '../serving/run-server.ts';
import { createDemoClient } from './create-demo-client.ts';
import { demoTypesFolder } from './demo-types.ts';
import { loadDemo } from './load-demo.ts';

const settings = {
  COLOPHON_DATA_DIR: 'data/demo',
  COLOPHON_TYPES: demoTypesFolder,
  COLOPHON_CLIENT_ID: 'demo',
  COLOPHON_CLIENT_SECRET: 'demo',
  COLOPHON_ADMIN_EMAIL: 'demo@localhost',
  COLOPHON_ADMIN_PASSWORD: 'demo-demo-demo',
  // The receiver of its webhook is the server itself.
  COLOPHON_WEBHOOK_PRIVATE: 'true',
};

/** Starts the server, and loads the sample content that is missing. Errors: bad_config for other types; those of a start. */
export async function runDemo(environment: Environment): Promise<void> {
  assertOwnTypes(environment);
  const config = readConfig({ ...settings, ...environment });
  const { firstClientId: clientId = 'demo', firstClientSecret: secret = 'demo', basePath, dataDir } = config;
  await runServer(config, async ({ services, refresh }, url) => {
    await createDemoClient(services.clients, { clientId, secret });
    await loadDemo(services, url + basePath);
    await refresh();
    console.log(describeDemo(url + basePath, dataDir));
  });
}

/** The content of the demo fits no other types, and must not fill the store of a project. */
function assertOwnTypes({ COLOPHON_TYPES: types }: Environment): void {
  if (!types || types === demoTypesFolder) return;
  const message = `is ${types}, and the demo has its own content types: run it in another folder, or without this variable`;
  throw badConfig([{ path: 'COLOPHON_TYPES', message }]);
}

const describeDemo = (url: string, dataDir: string) => `The demo has 40 articles in ${dataDir}. Try it:
  curl '${url}/api/news/latest?limit=2'
  curl ${url}/api/news/aldmoor-gets-a-night-bus
The admin UI is at ${url}/admin: sign in as demo@localhost with demo-demo-demo.`;
