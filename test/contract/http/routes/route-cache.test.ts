/**
 * Mapped routes whose content is unchanged: kept responses and 304 without running the query. A second instance on the same store
 * stands for another process, or for the same one after a restart.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { removeRows } from '../../../support/stored-rows.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { article, createNews } from './news.ts';
import { by, open, type RouteCall, type RouteResponse, send } from './routes-context.ts';

const endpoint = {
  name: 'Kept',
  source: open.name,
  mappings: [
    { name: 'All', query: 'query All { articleList { items { headline } } }' },
    { name: 'Long', query: 'query Long { articleList { items { headline body } } }' },
    {
      name: 'Titled',
      query:
        'query Titled($titles: [String!]) { articleList(filter: { headline: { in: $titles } }) { count } }',
    },
    { name: 'Wrong', query: 'query Wrong($where: String!) { articleList(where: $where) { count } }' },
  ],
};

let location: StoreLocation;
let instance: TestInstance;
const others: TestInstance[] = [];
let id: string;
let articles = 0;

async function start(at: StoreLocation): Promise<void> {
  location = at;
  instance = await startInstance(location);
  const { graphqlEndpoints, restEndpoints } = instance.services;
  await graphqlEndpoints.create(open);
  const { id: endpointId } = await restEndpoints.create({ body: endpoint, by });
  await restEndpoints.publish({ id: endpointId, by });
  await instance.refresh();
}

async function createArticle(): Promise<void> {
  const body = { ...createNews(`article-${articles++}`), body: `<p>${'x'.repeat(2000)}</p>` };
  ({ _id: id } = (await instance.services.content.create(body, {})).asset);
}

afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
});

async function stop(): Promise<void> {
  await instance.stop();
  await location.remove();
}

async function startAnother(settings: Parameters<typeof startInstance>[1] = {}): Promise<TestInstance> {
  const other = await startInstance(location, settings);
  others.push(other);
  return other;
}

const ask = (path: string, headers: RouteCall['headers'] = {}, from = instance) =>
  send(from.url, 'GET', path, { headers });
const tagOf = ({ headers }: RouteResponse) => headers.etag ?? '';
const rename = (headline: string, at = instance) =>
  at.services.content.update({ id, body: { headline } }, {});

describeOnEachStore('a mapped route', (locations) => {
  beforeAll(() => start(locations()));
  afterAll(stop);
  beforeEach(createArticle);

  it('is 304 in every process while no process writes, and has other bytes after a write', async (context) => {
    if (!(await keepsHistory(instance))) context.skip('the store has no change log');
    const first = await ask('/kept/all');
    const other = await startAnother();
    expect(await ask('/kept/all', {}, other)).toMatchObject({ status: 200, text: first.text });
    const known = { 'If-None-Match': tagOf(first) };
    expect((await ask('/kept/all', known, other)).status).toBe(304);
    await rename('Changed elsewhere', other);
    const changed = await ask('/kept/all', known);
    expect([changed.status, changed.text]).toEqual([200, expect.stringContaining('"Changed elsewhere"')]);
    expect((await ask('/kept/all', { 'If-None-Match': tagOf(changed) }, other)).status).toBe(304);
  });

  it('leaves nothing of an erased asset in the memory of any process', async (context) => {
    if (!(await keepsHistory(instance))) context.skip('the store has no change log');
    const other = await startAnother();
    // `fetch` accepts compressed responses.
    for (const { url } of [instance, other]) await (await fetch(`${url}/kept/long`)).text();
    const responseQuota = () => [instance, other].map(({ services }) => services.routeCache.byteLength());
    expect(Math.min(...responseQuota())).toBeGreaterThan(2000);
    const admin = await instance.createClient({ scopes: ['admin', 'cma:write'] });
    await instance.refresh();
    const path = `${new URL(instance.cmaUrl).pathname}/${id}?erase=true`;
    expect((await send(instance.url, 'DELETE', path, { headers: admin })).status).toBe(200);
    expect(responseQuota()[0]).toBe(0);
    await expect.poll(responseQuota).toEqual([0, 0]);
    expect((await ask('/kept/long', {}, other)).text).not.toContain(`"About article-${articles - 1}"`);
  });
});

describe('a mapped route on SQLite', () => {
  beforeAll(() => start(sqliteLocation()));
  afterAll(stop);
  beforeEach(async () => {
    emptyStore();
    await createArticle();
  });

  /** Removes all articles without the store's knowledge, so that a query which runs finds none. */
  function emptyStore(): void {
    const database = new DatabaseSync(join(location.config.dataDir, 'colophon.db'), { timeout: 60_000 });
    removeRows(database, article);
    database.close();
  }

  it('does not run its query while the content is unchanged', async () => {
    const first = await ask('/kept/all');
    emptyStore();
    expect(await ask('/kept/all')).toMatchObject({ text: first.text, headers: { etag: tagOf(first) } });
    const other = await startAnother();
    expect((await ask('/kept/all', { 'If-None-Match': tagOf(first) }, other)).status).toBe(304);
    expect((await ask('/kept/all', {}, other)).body.data.articleList.items).toEqual([]);
  });

  it('keeps responses to an empty list, to one with an empty text and to none apart', async () => {
    const [empty, text, none] = [
      await ask('/kept/titled?titles[]'),
      await ask('/kept/titled?titles[]='),
      await ask('/kept/titled'),
    ];
    emptyStore();
    expect((await ask('/kept/titled')).text).toBe(none.text);
    const [ofEmpty, ofText, ofNone] = [empty, text, none].map(({ body }) => body.data.articleList.count);
    expect([ofEmpty, ofText]).toEqual([0, 0]);
    expect(ofNone).toBeGreaterThan(0);
    expect(tagOf(text)).not.toBe(tagOf(empty));
  });

  it('runs its query each time with COLOPHON_ROUTE_CACHE_BYTES=0, but still answers 304', async () => {
    const other = await startAnother({ routeCacheBytes: 0 });
    const first = await ask('/kept/all', {}, other);
    emptyStore();
    expect((await ask('/kept/all', { 'If-None-Match': tagOf(first) }, other)).status).toBe(304);
    expect((await ask('/kept/all', {}, other)).body.data.articleList.items).toEqual([]);
  });

  it('has another ETag and runs its query with other content types', async () => {
    const first = await ask('/kept/all');
    emptyStore();
    const types = makeTypesFolder('type Extra @contentType(class: "test.Extra") { name: String }');
    const other = await startAnother({ typesDir: types });
    const { status, body } = await ask('/kept/all', { 'If-None-Match': tagOf(first) }, other);
    expect([status, body.data.articleList.items]).toEqual([200, []]);
  });

  it('is the same for all clients without sites, and separate for clients with different sites', async () => {
    const { services, createClient } = instance;
    const keyed = { ...endpoint, name: 'Keyed', access: 'API_KEY' };
    const { id: keyedId } = await services.restEndpoints.create({ body: keyed, by });
    await services.restEndpoints.publish({ id: keyedId, by });
    const siteBody = { _type: 'com.colophon.cms.db.Site', name: 'A site' };
    const { _id: site } = (await services.content.create(siteBody, {})).asset;
    const clients = await Promise.all(
      [{}, {}, { sites: [site] }, { sites: [site] }].map((limits) =>
        createClient({ scopes: ['graphql'], ...limits }),
      ),
    );
    await instance.refresh();
    const responses = [];
    for (const client of clients) responses.push(await ask('/keyed/all', client));
    const [first = '', second, third = '', fourth] = responses.map(tagOf);
    expect([first, third]).toEqual([second, fourth]);
    expect(responses.map(({ body }) => body.data.articleList.items.length)).toEqual([1, 1, 0, 0]);
    expect((await ask('/keyed/all', { ...clients[2], 'If-None-Match': first })).status).toBe(200);
    expect((await ask('/keyed/all', { ...clients[3], 'If-None-Match': third })).status).toBe(304);
  });

  it('is never kept with an error', async () => {
    await instance.services.routeCache.removeOutdated();
    for (let n = 0; n < 2; n++) {
      const { status, headers } = await ask('/kept/wrong?where=(', { 'If-None-Match': '*' });
      expect([status, headers.etag]).toEqual([400, undefined]);
    }
    expect(instance.services.routeCache.byteLength()).toBe(0);
  });

  it('is sent compressed to who accepts that, with the same headers to HEAD and 304', async () => {
    const plain = await ask('/kept/long');
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    for (const [accepted, coding] of [
      ['gzip', 'gzip'],
      ['br, gzip;q=0.5', 'br'],
    ] as const) {
      const headers = { 'Accept-Encoding': accepted };
      const response = await fetch(`${instance.url}/kept/long`, { headers });
      expect(await response.text()).toBe(plain.text);
      const head = await send(instance.url, 'HEAD', '/kept/long', { headers });
      expect(head.headers).toMatchObject({
        'content-encoding': coding,
        'content-length': response.headers.get('content-length'),
        etag: `W/${tagOf(plain)}`,
        vary: 'Accept-Encoding',
      });
      expect(Number(head.headers['content-length'])).toBeLessThan(1000);
      const known = await ask('/kept/long', { ...headers, 'If-None-Match': tagOf(plain) });
      expect([known.status, known.headers.etag]).toEqual([304, `W/${tagOf(plain)}`]);
    }
  });
});
