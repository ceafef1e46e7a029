/** Previews: GraphQL endpoints and mapped routes read a release, for clients with the scope and by preview links; nothing else shows a draft. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import request from 'supertest';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { createRoutesContext, open, send as sendTo } from '../routes/routes-context.ts';
import { createGraphqlContext, site } from './graphql-context.ts';

const text = 'com.colophon.cms.db.Text';
const list = 'query List { textList(limit: 100, sortBy: [{field: "name"}]) { count items { name } } }';
const dayMs = 86_400_000;

describeOnEachStore('previews', (locations) => {
  let location: StoreLocation;
  let instance: TestInstance;
  let admin: ClientHeaders;
  let drafter: ClientHeaders;
  let reader: ClientHeaders;
  let hasReleases: boolean;
  const logged: string[] = [];
  const { ask, send, createEndpoint, createClient } = createGraphqlContext(() => instance);
  const routes = createRoutesContext(() => instance);
  const release = 'spring';
  const marker = `marker${randomUUID().replaceAll('-', '')}`;

  const adminCall = (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) => {
    const pending = request(instance.url)[method](`/api/admin${path}`).set(admin);
    return body ? pending.send(body) : pending;
  };
  const newLink = async (body: object = {}, name = release) =>
    (await adminCall('post', `/releases/${name}/preview-links`, body)).body;
  const get = (path: string, parameters: Record<string, string> = {}, headers: ClientHeaders | object = {}) =>
    send('GET', path, { parameters: { query: list, ...parameters }, headers: { ...headers } });
  const route = (path: string, headers: ClientHeaders | object = {}) =>
    sendTo(instance.url, 'GET', path, { headers: { ...headers } });
  const namesIn = ({ body }: { body: { data?: { textList: { items: { name: string }[] } } } }) =>
    body.data?.textList.items.map(({ name }) => name);

  beforeAll(async () => {
    location = locations();
    instance = await startInstance(
      location,
      {},
      pino({ level: 'debug' }, { write: (line: string) => logged.push(line) }),
    );
    hasReleases = await keepsHistory(instance);
    admin = await instance.createClient({ scopes: ['admin'] });
    drafter = await createClient({ scopes: ['graphql', 'cma:draft'] });
    reader = await createClient();
    await instance.services.graphqlEndpoints.create({ ...open, preview: true });
    await createEndpoint({ name: 'off' });
    await createEndpoint({ name: 'keyed', access: 'CLIENT_CREDENTIALS', preview: true });
    const mappings = [
      { name: 'List', query: list, cacheSeconds: 60 },
      { name: 'Add', query: 'mutation Add { createText(input: {name: "x"}) { name } }' },
    ];
    await routes.publish({ name: 'Previewed', preview: true, cacheTags: 'Cache-Tag', mappings });
    await routes.publish({ name: 'Live', cacheTags: 'Cache-Tag', mappings });
    await instance.refresh();
    if (!hasReleases) return;
    const { body: live } = await adminCall('post', '/contents', { _type: text, name: 'live' });
    await adminCall('post', '/releases', { name: release });
    await adminCall('put', `/contents/${live._id}?release=${release}`, { name: `${marker} changed` });
    await adminCall('post', `/contents?release=${release}`, { _type: text, name: `${marker} created` });
  });
  beforeEach(({ skip }) => {
    if (!hasReleases) skip('the store keeps no change log');
  });

  const drafted = [`${marker} changed`, `${marker} created`];

  describe('by "release"', () => {
    it('show the release in GraphQL and at routes, and are never kept', async () => {
      const previews = [
        await get('open', { release }, drafter),
        await send('POST', `open?release=${release}`, { body: { query: list }, headers: { ...drafter } }),
        await get('keyed', { release }, drafter),
        await route(`/previewed/list?release=${release}`, drafter),
      ];
      for (const response of previews) {
        expect([response.status, namesIn(response)]).toEqual([200, drafted]);
        expect(response.headers).toMatchObject({
          'cache-control': 'private, no-store',
          'x-release': release,
        });
        expect(response.headers).not.toHaveProperty('etag');
        expect(response.headers).not.toHaveProperty('cache-tag');
      }
      const live = await route('/previewed/list');
      expect([namesIn(live), live.headers['x-release']]).toEqual([['live'], undefined]);
      expect(live.headers).toHaveProperty('etag');
    });

    it('need the scope, a release and an endpoint that has previews', async () => {
      const statusOf = async (parameters: Record<string, string>, headers: object = {}) =>
        (await get('open', parameters, headers)).status;
      expect(await statusOf({ release })).toBe(401);
      expect(await statusOf({ release }, reader)).toBe(403);
      expect(await statusOf({ release: 'nope' }, drafter)).toBe(404);
      expect(await statusOf({ release, preview: 'x' }, drafter)).toBe(400);
      expect((await route(`/previewed/list?release=${release}`, reader)).status).toBe(403);
      expect(namesIn(await get('off', { release }, drafter))).toEqual(['live']);
      expect(namesIn(await route(`/live/list?release=${release}`, drafter))).toEqual(['live']);
    });

    it('refuse mutations, and the names as variables', async () => {
      const mutation = { query: 'mutation { createText(input: {name: "x"}) { name } }' };
      const refused = await send('POST', `open?release=${release}`, {
        body: mutation,
        headers: { ...drafter },
      });
      expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([400, 'invalid_parameter']);
      expect(
        (await sendTo(instance.url, 'POST', `/previewed/add?release=${release}`, { headers: { ...drafter } }))
          .status,
      ).toBe(400);
      const query =
        'query Q($release: String, $preview: String) { a: textList(where: $release) { count } b: textList(where: $preview) { count } }';
      const body = { name: 'Clash', source: 'Open', preview: true, mappings: [{ name: 'Q', query }] };
      const clash = await adminCall('post', '/rest-endpoints', body);
      expect(clash.body.problems.map(({ message }: { message: string }) => message)).toEqual([
        'The variable name release is reserved, because the endpoint has previews',
        'The variable name preview is reserved, because the endpoint has previews',
      ]);
      expect((await adminCall('post', '/rest-endpoints', { ...body, preview: false })).status).toBe(201);
    });

    it('run in the explorer', async () => {
      const { id } = (await adminCall('get', '/graphql-endpoints')).body.items.find(
        ({ name }: { name: string }) => name === 'off',
      );
      const run = (query: string, name: string) =>
        adminCall('post', `/graphql-endpoints/${id}/run?release=${name}`, { query });
      const ran = await run(list, release);
      expect([namesIn(ran), ran.headers['x-release']]).toEqual([drafted, release]);
      expect((await run(list, 'nope')).status).toBe(404);
    });
  });

  describe('by a link', () => {
    it('add the release to the access of the endpoint', async () => {
      const { token } = await newLink();
      expect(namesIn(await get('open', { preview: token }))).toEqual(drafted);
      expect(namesIn(await route(`/previewed/list?preview=${token}`))).toEqual(drafted);
      expect((await get('keyed', { preview: token })).status).toBe(401);
      expect(namesIn(await get('keyed', { preview: token }, reader))).toEqual(drafted);
      const { stored } = { stored: JSON.stringify((await adminCall('get', '/changes?limit=100')).body) };
      for (const place of [
        logged.join(),
        stored,
        JSON.stringify((await adminCall('get', `/releases/${release}/preview-links`)).body),
      ])
        expect(place).not.toContain(token);
    });

    it('end when they expire or are revoked', async () => {
      const { id, token } = await newLink();
      const brief = await newLink({ expiresAt: Date.now() + 300 });
      const path = `/releases/${release}/preview-links`;
      const listed = (await adminCall('get', path)).body.items;
      expect(listed.find((link: { id: string }) => link.id === id)).toEqual({
        id,
        createdAt: expect.any(Number),
        createdBy: expect.any(String),
        expiresAt: expect.any(Number),
      });
      expect((await adminCall('delete', `${path}/${id}`)).status).toBe(204);
      expect((await adminCall('delete', `${path}/${id}`)).status).toBe(404);
      await setTimeout(400);
      for (const [preview, message] of [
        [token, /revoked/],
        [brief.token, /expired/],
        ['x', /does not exist/],
      ] as const) {
        const ended = await get('open', { preview });
        expect([ended.status, ended.body.errors[0].message]).toEqual([401, expect.stringMatching(message)]);
        expect((await route(`/previewed/list?preview=${preview}`)).status).toBe(401);
      }
      for (const expiresAt of [Date.now() - 1, Date.now() + 31 * dayMs])
        expect((await adminCall('post', path, { expiresAt })).body.problems[0].path).toBe('expiresAt');
    });

    it('end with their release', async () => {
      for (const end of ['delete', 'publish']) {
        const body = { name: end };
        expect((await adminCall('post', '/releases', body)).status).toBe(201);
        await adminCall('post', `/contents?release=${end}`, { _type: site, name: `Site ${end}` });
        const { token } = await newLink({}, end);
        expect((await get('open', { preview: token })).status).toBe(200);
        if (end === 'delete') await adminCall('delete', `/releases/${end}?drafts=1`);
        else {
          const published = await adminCall('post', `/releases/${end}/publish`, {});
          const { body: run } = await adminCall('get', `/runs/${published.body.run}`);
          expect(run.writes).toEqual({ create: 1, update: 0, delete: 0 });
        }
        expect((await get('open', { preview: token })).status).toBe(401);
        await adminCall('post', '/releases', body);
        expect((await get('open', { preview: token })).status).toBe(401);
      }
    });
  });

  it('a mapped route reads an article live, and as drafted by a preview link', async () => {
    const query = 'query Article($slug: String!) { article: articleBy(key: { slug: $slug }) { headline } }';
    await routes.publish({
      name: 'News',
      preview: true,
      mappings: [{ name: 'Article', path: '/{slug}', query }],
    });
    const article = { _type: 'com.example.news.Article', slug: 'opening-hours', status: 'PUBLISHED' };
    const { body: live } = await adminCall('post', '/contents', { ...article, headline: 'Live' });
    await adminCall('post', '/releases', { name: 'hours' });
    await adminCall('put', `/contents/${live._id}?release=hours`, { headline: 'Drafted' });
    const { token } = await newLink({}, 'hours');
    const read = async (search = '') => {
      const response = await fetch(`${instance.url}/news/opening-hours${search}`);
      return [response.status, Object(await response.json()).data?.article];
    };
    await expect.poll(() => read()).toEqual([200, { headline: 'Live' }]);
    expect(await read(`?preview=${token}`)).toEqual([200, { headline: 'Drafted' }]);
    expect(await read('?preview=unknown')).toEqual([401, undefined]);
  });

  it('nothing shows a draft without "release"', async () => {
    const { token } = await newLink();
    await route(`/previewed/list?preview=${token}`);
    const client = await instance.createClient({ scopes: ['cma:read', 'history', 'graphql'] });
    const { cmaPath } = instance.services.config;
    const where = `name startsWith '${marker}'`;
    const fetched = async (path: string, body?: object) => {
      const url = request(instance.url);
      const response = await (body ? url.post(path).send(body) : url.get(path)).set(body ? admin : client);
      expect([path, response.status]).toEqual([path, 200]);
      return JSON.stringify([response.headers, response.text]);
    };
    const responses = [
      await fetched(`${cmaPath}?from=${text}`),
      await fetched(
        `${cmaPath}?from=${text}&limit=0&where=${encodeURIComponent(`name matchesAll '${marker}'`)}`,
      ),
      await fetched(`${cmaPath}/changes?from=${text}`),
      await fetched('/previewed/list'),
      await fetched('/live/list'),
      JSON.stringify(await ask('open', list)),
      await fetched('/api/admin/search', { text: marker }),
      await fetched('/api/admin/query', { from: text, where: 'true' }),
    ];
    for (const response of responses) expect(response).not.toContain(`${marker} `);
    const { data } = (await ask('open', `{ textList(where: "${where}") { count } }`)).body;
    expect(data.textList.count).toBe(0);
  });
});
