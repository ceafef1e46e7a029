/**
 * A server process that considers another process dead after seconds of silence, also the one that sends to webhooks, and disconnects
 * clients that have not read for six seconds. It takes the environment of `colophon serve` and prints its address.
 */
import { createFirstApiClient } from '../../src/access/clients/api-clients.ts';
import { compose } from '../../src/app/compose/compose.ts';
import { readConfig } from '../../src/app/config/config.ts';
import { startServer } from '../../src/app/server/server.ts';
import { createRequestOrigins } from '../../src/base/request-origin.ts';
import { silentLogger as logger, randomIds, systemClock } from '../../src/base/runtime.ts';
import { shortLease } from './short-lease.ts';

const config = readConfig(process.env);
const timing = { heartbeatMs: 500, expiryMs: 10_000 };
const instance = await compose(
  config,
  { logger, clock: systemClock, ids: randomIds, origins: createRequestOrigins() },
  { timing, leaseTiming: shortLease },
);
const server = await startServer({ instance, config, logger, stallCheckMs: 1_000 });
const { firstClientId = 'me', firstClientSecret = 'mine' } = config;
await createFirstApiClient(instance.services.clients, { clientId: firstClientId, secret: firstClientSecret });
await instance.refresh();
console.log(`listening on ${server.url}`);
process.on('SIGTERM', async () => {
  await server.stop();
  process.exit();
});
