/** One record of each kind, and assets, for tests that open all pages. */
import { expect } from 'vitest';
import type { TestInstance } from './instance.ts';

/** The IDs of the seeded records and assets. */
export type Seeded = Readonly<
  Record<
    'client' | 'graphqlEndpoint' | 'openEndpoint' | 'restEndpoint' | 'article' | 'deleted' | 'run' | 'token',
    string
  >
>;

/** The class name of the seeded asset. */
export const article = 'com.example.news.Article';
/** The headline of the seeded asset. */
export const headline = 'Harbour reopens after the storm';

/** Creates one of each kind of record, with the assets and endpoints it needs. */
export async function seedRecords({ services, cmaUrl, headers }: TestInstance): Promise<Seeded> {
  const { content, clients, invitations, graphqlEndpoints, restEndpoints, refresh } = services;
  const create = async (body: object) => (await content.create(body, {})).asset._id;
  const authorType = 'com.example.news.Author';
  const author = await create({ _type: authorType, slug: 'ann', name: 'Ann Example' });
  const stored = await create({
    _type: article,
    slug: 'harbour',
    headline,
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
  return {
    client: clientId,
    graphqlEndpoint: graphqlEndpoint.id,
    openEndpoint: openEndpoint.id,
    restEndpoint: restEndpoint.id,
    article: stored,
    deleted,
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
