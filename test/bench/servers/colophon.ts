/**
 * Colophon as it is served, with the mapped routes of the benchmark.
 */
import { pino } from 'pino';
import { compose } from '../../../src/app/compose.ts';
import { readConfig } from '../../../src/app/config.ts';
import { startServer } from '../../../src/app/server.ts';
import { createRequestOrigins } from '../../../src/base/request-origin.ts';
import { randomIds, systemClock } from '../../../src/base/runtime.ts';
import { benchRoutes } from '../routes.ts';

const endpoint = {
  name: 'Bench',
  pathPrefix: '/api/bench',
  source: 'delivery',
  access: 'ANYONE',
  mappings: Object.entries(benchRoutes).map(([name, route]) => ({ name, ...route })),
};

/** Starts it on the store in a folder. It logs as in production, but to /dev/null. */
export async function startColophon(dataDir: string): Promise<{ url: string; headers: object }> {
  const config = { ...readConfig({}), port: 0, dataDir };
  const logger = pino(
    pino.destination({ dest: '/dev/null', sync: false, minLength: 32_768, maxWrite: 65_536 }),
  );
  const runtime = { logger, clock: systemClock, ids: randomIds, origins: createRequestOrigins() };
  const instance = await compose(config, runtime);
  const { clientId, secret } = await instance.clients.create({
    name: 'bench',
    scopes: ['cma:read', 'cma:write', 'graphql'],
  });
  const { id } = await instance.restEndpoints.create({ body: endpoint, by: 'bench' });
  await instance.restEndpoints.publish({ id, by: 'bench' });
  await instance.refresh();
  const { url } = await startServer({ instance, config, logger });
  return { url, headers: { 'X-Client-Id': clientId, 'X-Client-Secret': secret } };
}
