/** One of each kind of record that a page of the admin UI shows. */
import { Readable } from 'node:stream';
import { expect, vi } from 'vitest';
import { drawPortrait } from '../../src/cli/demo/draw-picture.ts';
import type { TestInstance } from './instance.ts';

const article = 'com.example.news.Article';

/** The headline of the article. */
export const seededHeadline = 'Harbour reopens after the storm';

/** The IDs of the seeded records and assets, the name of the run, the number of the delivered change and the token of an invitation. */
export type SeededPages = Readonly<
  Record<
    | 'client'
    | 'graphqlEndpoint'
    | 'openEndpoint'
    | 'restEndpoint'
    | 'article'
    | 'deleted'
    | 'release'
    | 'run'
    | 'webhook'
    | 'delivery'
    | 'token',
    string
  >
>;

/** Creates one of each kind of record, with the assets and endpoints it needs. */
export async function seedPages({ services, cmaUrl, headers }: TestInstance): Promise<SeededPages> {
  const { content, clients, invitations, graphqlEndpoints, restEndpoints, webhooks, upload, refresh } =
    services;
  const { status } = await webhooks.create({
    name: 'Search index',
    // Nothing listens there.
    url: 'http://127.0.0.1:1/hook',
    types: ['*'],
    actions: ['create', 'update', 'delete', 'erase'],
    payload: 'thin',
  });
  const webhook = status.webhook.id;
  await upload({ open: () => Readable.from([drawPortrait('Ann Example')]), name: 'ann.png' });
  const create = async (body: object) => (await content.create(body, {})).asset._id;
  const authorType = 'com.example.news.Author';
  const author = await create({ _type: authorType, slug: 'ann', name: 'Ann Example' });
  const stored = await create({
    _type: article,
    slug: 'harbour',
    headline: seededHeadline,
    summary: 'Ships come and go again.',
    body: '<p>The harbour is <em>open</em>.</p>',
    status: 'PUBLISHED',
    author: { _ref: author, _type: authorType },
    tags: ['harbour', 'storm'],
    featured: true,
    sources: [{ title: 'The harbour master', url: 'https://example.com/harbour', accessed: 0 }],
    place: { name: 'Bremen', country: 'DE', latitude: 53.1 },
    eventDate: Date.UTC(2026, 1, 3),
    importData: { from: ['a', 'b'] },
  });
  const run = 'night-import';
  const written = await fetch(`${cmaUrl}/${stored}`, {
    method: 'PUT',
    headers: { ...headers, 'X-Run': run, 'Content-Type': 'application/json' },
    body: JSON.stringify({ summary: 'Ships come and go.' }),
  });
  expect(written.status).toBe(200);
  const deleted = await create({ _type: article, slug: 'gone', headline: 'Gone', status: 'DRAFT' });
  await content.delete({ id: deleted }, {});
  const release = 'spring';
  await content.releases.create({ name: release, title: 'Spring' });
  await content.inRelease(release, {}).create({ _type: article, headline: 'A draft' }, {});
  const { clientId } = await clients.create({ name: 'Newsroom import', scopes: ['cma:read', 'graphql'] });
  await clients.addKey({ clientId, name: 'Night shift' });
  const graphqlEndpoint = await graphqlEndpoints.create({
    name: 'Newsroom',
    path: 'newsroom',
    readTypes: ['*'],
    writeTypes: [article],
    access: 'API_KEY',
  });
  const openEndpoint = await graphqlEndpoints.create({
    name: 'Open desk',
    readTypes: ['*'],
    writeTypes: ['*'],
    access: 'ANYONE',
  });
  const { token } = await invitations.invite({ email: 'invited@example.org', role: 'editor' });
  const restEndpoint = await restEndpoints.create({ body: morningNews, by: 'a test' });
  await restEndpoints.publish({ id: restEndpoint.id, by: 'a test' });
  await refresh();
  const delivery = await vi.waitFor(
    async () => {
      const [sent] = await webhooks.deliveries({ webhookId: webhook, limit: 1 });
      return String(sent?.seq ?? expect.fail('nothing was sent yet'));
    },
    { timeout: 60_000 },
  );
  return {
    webhook,
    delivery,
    client: clientId,
    graphqlEndpoint: graphqlEndpoint.id,
    openEndpoint: openEndpoint.id,
    restEndpoint: restEndpoint.id,
    article: stored,
    deleted,
    release,
    run,
    token,
  };
}

const morningNews = {
  name: 'Morning news',
  pathPrefix: '/api/morning',
  source: 'Newsroom',
  access: 'ANYONE',
  mappings: [
    {
      name: 'Latest',
      query: 'query Latest($limit: Int = 5) { articleList(limit: $limit) { items { headline } } }',
      cacheSeconds: 60,
    },
    { name: 'By ID', query: 'query ById($id: ID!) { article(_id: $id) { headline body } }' },
  ],
};
