/**
 * Express routes that make the same store calls as Colophon by hand, and nothing else: no credentials, no validation, no log lines.
 * Writes have the same durability and the same entries in the change log, since the store writes both.
 */
import express, { type Express } from 'express';
import { loadSystemTypes, storedCatalog } from '../../../src/access/system-types.ts';
import { readConfig } from '../../../src/app/config/config.ts';
import { randomIds, silentLogger } from '../../../src/base/runtime.ts';
import { getType } from '../../../src/model/catalog.ts';
import type { Asset, Catalog } from '../../../src/model/content-type.ts';
import { type FieldPath, findFieldPath } from '../../../src/model/field-path.ts';
import type { BoundPredicate } from '../../../src/query/ast.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { loadTypes } from '../../../src/types/load-types.ts';
import { readTypeSources } from '../../../src/types/type-sources.ts';
import { articleType } from '../articles.ts';
import { benchRoutes, pickOutline, pickWhole } from '../routes.ts';
import { listen } from './constant.ts';
import { addDirectReads } from './direct-reads.ts';
import { addDirectWrites } from './direct-writes.ts';

const types = [articleType];

/** The store, and the fields by which routes search it. */
interface Data {
  readonly store: ContentStore;
  readonly headline: FieldPath;
  readonly tags: FieldPath;
}

/** Starts the routes on the store in a folder. */
export async function startBare(dataDir: string): Promise<{ url: string; headers: object }> {
  const config = { ...readConfig({}), dataDir };
  const catalog = loadTypes(readTypeSources(config.typesDir));
  const stored = storedCatalog(loadSystemTypes(), catalog);
  const store = await openStore({ ...config, catalog: stored, logger: silentLogger });
  await store.prepare();
  const data = { store, headline: pathTo(catalog, 'headline'), tags: pathTo(catalog, 'tags') };
  const app = express();
  addReads(app, data);
  addWrites(app, data);
  addDirectWrites(app, dataDir);
  addDirectReads(app, dataDir, getType(catalog, articleType, 'from'));
  addQueries(app, data);
  return listen(app.listen(0, '127.0.0.1'));
}

function pathTo(catalog: Catalog, field: string): FieldPath {
  const path = findFieldPath(catalog, types, field);
  if (typeof path === 'string') throw new Error(path);
  return path;
}

function addReads(app: Express, { store, headline }: Data): void {
  app.get('/contents', async (request, response) => {
    const { values, offset = 0, limit = 10 } = request.query;
    const where = values === undefined ? {} : { where: equals(headline, values) };
    const page = { types, offset: Number(offset), limit: Number(limit), withCount: true };
    const { count, items } = await store.find({ ...page, ...where });
    response.json({ status: 'ok', result: { count, items: items.map(({ asset }) => asset) } });
  });
  app.get('/contents/:id', async (request, response) => {
    const found = await store.get(request.params.id);
    response.json({ status: 'ok', result: found?.asset });
  });
}

function addWrites(app: Express, { store }: Data): void {
  const toInsert = (body: object) => ({
    // The benchmark sends complete articles.
    asset: { _id: randomIds.assetId(), ...body } as Asset,
    version: randomIds.version(),
  });
  app.post('/contents', express.json(), async (request, response) => {
    const stored = toInsert(request.body);
    await store.insert(stored, origin());
    response.json({ status: 'ok', result: stored.asset });
  });
  app.put('/contents/:id', express.json(), async (request, response) => {
    const { id } = request.params;
    const change = { set: request.body, unset: [], version: randomIds.version() };
    const stored = await store.patch({ id, type: articleType, ...change }, origin());
    response.json({ status: 'ok', result: stored?.asset });
  });
  app.post('/batch', express.json({ limit: '4mb' }), async (request, response) => {
    const bodies: object[] = request.body;
    const writes = bodies.map((body) => ({ kind: 'insert' as const, ...toInsert(body) }));
    const outcomes = await store.write(writes, { origin: origin() });
    response.json({ status: 'ok', result: { results: outcomes.map(({ kind }) => ({ kind })) } });
  });
}

/** Where a write comes from, as the change log stores it. */
const origin = () => ({
  by: { kind: 'client', id: 'bench', name: 'bench' } as const,
  requestId: randomIds.assetId(),
  atMs: Date.now(),
});

/** The routes that are compared with GraphQL and with mapped routes. */
function addQueries(app: Express, { store, headline, tags }: Data): void {
  const byId = async (id: unknown) => {
    const found = await store.get(String(id));
    return { data: { article: pickWhole(found?.asset) } };
  };
  const findBy = async (path: FieldPath, value: unknown) => {
    const where = equals(path, value);
    const { items } = await store.find({ types, where, offset: 0, limit: 10, withCount: false });
    return { data: { articleList: { items: items.map(({ asset }) => pickOutline(asset)) } } };
  };
  app.get(`/mapped${benchRoutes.byId.path}`, async ({ query }, response) => {
    response.json(await byId(query.id));
  });
  app.get(`/mapped${benchRoutes.byTag.path}`, async ({ query }, response) => {
    response.json(await findBy(tags, query.tag));
  });
  app.get(`/mapped${benchRoutes.byHeadline.path}`, async ({ query }, response) => {
    response.json(await findBy(headline, query.headline));
  });
  app.post(`/graphql${benchRoutes.byId.path}`, express.json(), async ({ body }, response) => {
    response.json(await byId(body.variables.id));
  });
  app.post(`/graphql${benchRoutes.byTag.path}`, express.json(), async ({ body }, response) => {
    response.json(await findBy(tags, body.variables.tag));
  });
  app.post(`/graphql${benchRoutes.byFilter.path}`, express.json(), async ({ body }, response) => {
    response.json(await findBy(headline, body.variables.headline));
  });
}

const equals = (path: FieldPath, value: unknown): BoundPredicate => ({
  kind: 'equals',
  path,
  values: [String(value)],
  ignoreCase: false,
});
