/**
 * One server to measure, in a separate process: `colophon`, or `bare`, an Express application that makes the same store calls and
 * nothing else. It sends `{ url, headers }` to its parent process when it listens.
 */
import { once } from 'node:events';
import express from 'express';
import { pino } from 'pino';
import { loadSystemTypes, storedCatalog } from '../../src/access/system-types.ts';
import { compose } from '../../src/app/compose.ts';
import { type Config, readConfig } from '../../src/app/config.ts';
import { startServer } from '../../src/app/server.ts';
import { createRequestOrigins } from '../../src/base/request-origin.ts';
import { randomIds, systemClock } from '../../src/base/runtime.ts';
import type { Asset } from '../../src/model/content-type.ts';
import { type FieldPath, findFieldPath } from '../../src/model/field-path.ts';
import { loadTypes } from '../../src/model/load-types.ts';
import { readTypeSources } from '../../src/model/types/type-sources.ts';
import type { BoundPredicate } from '../../src/query/ast.ts';
import { openStore } from '../../src/store/open-store.ts';
import { articleType } from './articles.ts';
import { addDirectWrites } from './direct-writes.ts';
import { benchRoutes, pickOutline, pickWhole } from './routes.ts';

const [kind = '', dataDir = ''] = process.argv.slice(2);
const config: Config = { ...readConfig({}), port: 0, dataDir };
// Logs as in production, but to /dev/null.
const logger = pino(pino.destination({ dest: '/dev/null', sync: false, minLength: 4096 }));

async function startColophon(): Promise<void> {
  const instance = await compose(config, {
    logger,
    clock: systemClock,
    ids: randomIds,
    origins: createRequestOrigins(),
  });
  const { clientId, secret } = await instance.clients.create({
    name: 'bench',
    scopes: ['cma:read', 'cma:write', 'graphql'],
  });
  const { id } = await instance.restEndpoints.create({ body: endpoint, by: 'bench' });
  await instance.restEndpoints.publish({ id, by: 'bench' });
  await instance.refresh();
  const { url } = await startServer({ instance, config, logger });
  process.send?.({ url, headers: { 'X-Client-Id': clientId, 'X-Client-Secret': secret } });
}

const endpoint = {
  name: 'Bench',
  pathPrefix: '/api/bench',
  source: 'delivery',
  access: 'ANYONE',
  mappings: Object.entries(benchRoutes).map(([name, route]) => ({ name, ...route })),
};

async function startBare(): Promise<void> {
  const catalog = loadTypes(readTypeSources(config.typesDir));
  const store = await openStore({ dataDir, catalog: storedCatalog(loadSystemTypes(), catalog), logger });
  await store.prepare();
  const types = [articleType];
  const pathTo = (field: string): FieldPath => {
    const path = findFieldPath(catalog, types, field);
    if (typeof path === 'string') throw new Error(path);
    return path;
  };
  const [headline, tags] = [pathTo('headline'), pathTo('tags')];
  const app = express();
  addDirectWrites(app, dataDir);
  app.get('/contents', async (request, response) => {
    const { values, offset = 0, limit = 10 } = request.query;
    const where = equals(headline, values);
    const page = { types, offset: Number(offset), limit: Number(limit), withCount: true };
    const { count, items } = await store.find(values === undefined ? page : { ...page, where });
    response.json({ status: 'ok', result: { count, items } });
  });
  app.get('/contents/:id', async (request, response) => {
    const stored = await store.get(request.params.id);
    response.json({ status: 'ok', result: stored?.asset });
  });
  app.post('/contents', express.json(), async (request, response) => {
    const asset: Asset = { _id: randomIds.assetId(), ...request.body };
    await store.insert({ asset, version: randomIds.version() }, origin());
    response.json({ status: 'ok', result: asset });
  });
  app.put('/contents/:id', express.json(), async (request, response) => {
    const { id } = request.params;
    const version = randomIds.version();
    const stored = await store.patch(
      { id, type: articleType, set: request.body, unset: [], version },
      origin(),
    );
    response.json({ status: 'ok', result: stored?.asset });
  });
  app.get('/mapped/by-id', async (request, response) => {
    const stored = await store.get(String(request.query.id));
    response.json({ data: { article: pickWhole(stored?.asset) } });
  });
  app.get('/mapped/by-tag', async (request, response) => {
    const where = equals(tags, request.query.tag);
    const { items } = await store.find({ types, where, offset: 0, limit: 10, withCount: false });
    response.json({ data: { articleList: { items: items.map(({ asset }) => pickOutline(asset)) } } });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.send?.({ url: `http://127.0.0.1:${port}`, headers: {} });
}

/** Where a write comes from, as the change log stores it. */
const origin = () => ({
  by: { kind: 'client', id: 'bench', name: 'bench' } as const,
  requestId: randomIds.assetId(),
  atMs: Date.now(),
});

function equals(path: FieldPath, value: unknown): BoundPredicate {
  return { kind: 'equals', path, values: [String(value)], ignoreCase: false };
}

await (kind === 'bare' ? startBare() : startColophon());
// Reports its processor time, of all threads, when it is asked.
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
// Exits with its parent process.
process.once('disconnect', () => process.exit());
