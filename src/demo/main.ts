/**
 * `npm run demo`: an instance with something real to query, in `data/demo`, with the API client `demo` and its secret `demo`.
 */
import { readConfig } from '../app/config.ts';
import { runServer } from '../cli/run-server.ts';
import { loadSpeeches } from './load-speeches.ts';

const defaults = {
  COLOPHON_DATA_DIR: 'data/demo',
  COLOPHON_CLIENT_ID: 'demo',
  COLOPHON_CLIENT_SECRET: 'demo',
};

await runServer(readConfig({ ...defaults, ...process.env }), async ({ content }) => {
  const { speeches, presidents, parties } = await loadSpeeches(content);
  console.log(`The demo has ${speeches} speeches by ${presidents} presidents of ${parties} parties.`);
  console.log('README.md has queries for it.');
});
