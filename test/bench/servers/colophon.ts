/**
 * Colophon as it is served, with the mapped routes of the benchmark, or as a further process on the store of another one.
 */
import { pino } from 'pino';
import { compose } from '../../../src/app/compose/compose.ts';
import { readConfig } from '../../../src/app/config/config.ts';
import { startServer } from '../../../src/app/server/server.ts';
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

/** What followers on this machine need; the usual limit of streams is for each client, and here one client has all. */
const forFollowers = { webhookPrivate: true, maxStreams: 100_000 };

/** Starts it on the store in a folder. It logs as in production, but to /dev/null. A further process adds no routes. */
export async function startColophon(
  dataDir: string,
  { isFurther = false, ...settings }: { isFurther?: boolean; routeCacheBytes?: number } = {},
): Promise<{ url: string; headers: object }> {
  const config = { ...readConfig({}), port: 0, dataDir, ...forFollowers, ...settings };
  const logger = pino(
    pino.destination({ dest: '/dev/null', sync: false, minLength: 32_768, maxWrite: 65_536 }),
  );
  const runtime = { logger, clock: systemClock, ids: randomIds, origins: createRequestOrigins() };
  const instance = await compose(config, runtime);
  const { clientId, secret } = await instance.services.clients.create({
    name: 'bench',
    scopes: ['admin', 'cma:read', 'cma:write', 'cma:draft', 'graphql'],
  });
  if (!isFurther) {
    const { id } = await instance.services.restEndpoints.create({ body: endpoint, by: 'bench' });
    await instance.services.restEndpoints.publish({ id, by: 'bench' });
  }
  await instance.refresh();
  const { url } = await startServer({ instance, config, logger });
  return { url, headers: { 'X-Client-Id': clientId, 'X-Client-Secret': secret } };
}
