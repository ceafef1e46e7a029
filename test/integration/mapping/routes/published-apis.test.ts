import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadyRoute, ServedRoute } from '../../../../src/mapping/routes/build-routes.ts';
import type { PublishedApis } from '../../../../src/mapping/routes/published-apis.ts';
import { newsSdl, type OpenedEndpoints, openEndpoints } from '../../../support/endpoints.ts';
import { createRecordingLogger } from '../../../support/runtime.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';

let location: StoreLocation;
let opened: OpenedEndpoints;
let publishedApis: PublishedApis;
beforeEach(async () => {
  location = sqliteLocation();
  opened = await openEndpoints(location);
  await opened.graphqlEndpoints.create(news);
  publishedApis = await opened.openPublishedApis();
});
afterEach(() => opened.close());

const by = 'me';
const news = { name: 'News', readTypes: ['*'], writeTypes: ['*'], access: 'API_KEY' };
const list = { name: 'List', query: 'query List($where: String) { articleList(where: $where) { count } }' };
const words = { name: 'Words', query: 'query Words { articleList { items { words } } }' };
const make = {
  name: 'Make',
  query: 'mutation Make($h: String!) { createArticle(input: { headline: $h }) { headline } }',
};
const blog = (...mappings: object[]) => ({ name: 'Blog', source: 'News', mappings });

async function publish(body: object, { restEndpoints } = opened) {
  const { id } = await restEndpoints.create({ body, by });
  return restEndpoints.publish({ id, by });
}

function readyAt(path: string, method = 'GET', from = publishedApis): ReadyRoute {
  const route = from.findRoutes(path)?.byMethod.get(method);
  if (!route?.operation) throw new Error(`nothing ready at ${method} ${path}`);
  return route;
}

const run = (route: ReadyRoute, query = '') =>
  route.operation.run({ variables: route.readVariables({ query }), caller: {} });

describe('a published endpoint', () => {
  it('is served at the exact paths of its mappings, by their methods', async () => {
    await publish(blog({ ...list, path: '' }, { ...make, path: '/a', methods: ['PUT', 'POST'] }));
    await publishedApis.refresh();
    expect(publishedApis.findRoutes('/blog')?.allowed).toEqual(['GET', 'HEAD']);
    expect(publishedApis.findRoutes('/blog/a')?.allowed).toEqual(['PUT', 'POST']);
    for (const path of ['/', '/blog/', '/Blog', '/blog/a/', '/blog/b', '/blo', '__proto__']) {
      expect(publishedApis.findRoutes(path)).toBeUndefined();
    }
    const below = ['/blog', '/blog/', '/blog/b/c', '/blogs', '/', '/blo'].map(
      (path) => publishedApis.findPrefix(path) !== undefined,
    );
    expect(below).toEqual([true, true, true, false, false, false]);
  });

  it('runs its operations with the variables of a request', async () => {
    await publish(blog(list, make));
    await publishedApis.refresh();
    const made = await run(readyAt('/blog/make', 'POST'), 'h=Hello');
    expect(made).toEqual({
      data: { createArticle: { headline: 'Hello' } },
      changes: [expect.any(String)],
    });
    const where = encodeURIComponent('headline = "Hello"');
    expect(await run(readyAt('/blog/list'), `where=${where}`)).toEqual({
      data: { articleList: { count: 1 } },
    });
    expect(readyAt('/blog/list', 'HEAD')).toBe(readyAt('/blog/list'));
  });

  it('describes what a request needs', async () => {
    const { id } = await publish({
      ...blog({ ...list, cacheSeconds: 60 }, words, { ...make, methods: ['GET'] }),
      access: 'ANYONE',
    });
    await publishedApis.refresh();
    const [source] = await opened.graphqlEndpoints.list();
    expect(readyAt('/blog/list')).toMatchObject({
      name: 'Blog: List',
      restEndpoint: { id, name: 'Blog' },
      mapping: { name: 'List' },
      sourceId: source?.id,
      access: 'ANYONE',
      cacheControl: 'public, max-age=60',
    });
    expect(readyAt('/blog/words').cacheControl).toBe('public, no-cache');
    expect(readyAt('/blog/make').cacheControl).toBeUndefined();
  });

  it('has the access of its source when it inherits', async () => {
    await publish(blog({ ...list, cacheSeconds: 1 }));
    await publishedApis.refresh();
    expect(readyAt('/blog/list')).toMatchObject({ access: 'API_KEY', cacheControl: 'private, max-age=1' });
    const [source] = await opened.graphqlEndpoints.list();
    await opened.graphqlEndpoints.replace({
      id: source?.id ?? '',
      body: { ...news, access: 'CLIENT_CREDENTIALS' },
    });
    await publishedApis.refresh();
    expect(readyAt('/blog/list').access).toBe('CLIENT_CREDENTIALS');
  });

  it('reads JSON literals when slash syntax is disabled', async () => {
    await publish({ ...blog(list), disableParameterSlashSyntax: true });
    await publishedApis.refresh();
    expect(readyAt('/blog/list').readVariables({ query: 'where=%22a%22' })).toEqual({ where: 'a' });
  });

  it('does not change until it is published again, and ends when it is unpublished or deleted', async () => {
    const { id } = await publish(blog(list));
    const { restEndpoints } = opened;
    await restEndpoints.save({ id, body: blog(words), by });
    await publishedApis.refresh();
    const found = () =>
      ['/blog/list', '/blog/words'].map((path) => publishedApis.findRoutes(path) !== undefined);
    expect(found()).toEqual([true, false]);
    await restEndpoints.publish({ id, by });
    await publishedApis.refresh();
    expect(found()).toEqual([false, true]);
    await restEndpoints.unpublish({ id, by });
    await publishedApis.refresh();
    expect(found()).toEqual([false, false]);
    expect(publishedApis.findPrefix('/blog/list')).toBeUndefined();
    await restEndpoints.publish({ id, by });
    await restEndpoints.delete({ id });
    await publishedApis.refresh();
    expect(found()).toEqual([false, false]);
  });

  it('is rebuilt only when it or its source has changed', async () => {
    const { id } = await publish(blog(list));
    await publish({ ...blog(words), name: 'Other' });
    await publishedApis.refresh();
    const operations = () =>
      [readyAt('/blog/list'), readyAt('/other/words')].map(({ operation }) => operation);
    const [first, other] = operations();
    await opened.restEndpoints.save({ id, body: blog(list, make), by });
    await publishedApis.refresh();
    expect(operations()).toEqual([first, other]);
    expect(operations()[0]).toBe(first);
    await opened.restEndpoints.publish({ id, by });
    await publishedApis.refresh();
    expect(operations()[1]).toBe(other);
    const [source] = await opened.graphqlEndpoints.list();
    await opened.graphqlEndpoints.replace({ id: source?.id ?? '', body: { ...news, maxLimit: 1 } });
    await publishedApis.refresh();
    expect(operations()[1]).not.toBe(other);
  });
});

describe('a GraphQL endpoint', () => {
  it('is served at its path', async () => {
    const made = await opened.graphqlEndpoints.create({
      ...news,
      name: 'Other',
      path: 'o',
      readTypes: ['news.Author'],
      writeTypes: [],
    });
    await publishedApis.refresh();
    const found = publishedApis.findEndpoint('o');
    expect(found?.endpoint).toEqual(made);
    expect(found?.api.sdl).toContain('type Author');
    expect(found?.api.sdl).not.toContain('type Article');
    expect(['other', 'O', '', 'o/'].map(publishedApis.findEndpoint)).toEqual(Array(4).fill(undefined));
    await opened.graphqlEndpoints.delete({ id: made.id });
    await publishedApis.refresh();
    expect(publishedApis.findEndpoint('o')).toBeUndefined();
  });

  it('keeps its API while another changes', async () => {
    const { id } = await opened.graphqlEndpoints.create({ ...news, name: 'Other' });
    await publishedApis.refresh();
    const apis = () => ['news', 'other'].map((path) => publishedApis.findEndpoint(path)?.api);
    const [first, second] = apis();
    await opened.graphqlEndpoints.replace({ id, body: { ...news, name: 'Other', maxLimit: 1 } });
    await publishedApis.refresh();
    expect(apis()[0]).toBe(first);
    expect(apis()[1]).not.toBe(second);
  });
});

it('changes of one process are served by another', async () => {
  const other = await openEndpoints(location);
  const there = await other.openPublishedApis();
  const { id } = await publish(blog(list), other);
  for (const each of [publishedApis, there]) {
    await expect.poll(() => each.findRoutes('/blog/list')).toBeDefined();
  }
  await opened.restEndpoints.unpublish({ id, by });
  for (const each of [publishedApis, there]) {
    await expect.poll(() => each.findRoutes('/blog/list')).toBeUndefined();
  }
  await other.close();
});

it('a published mapping with an invalid text is broken from the next start', async () => {
  const { id, current } = await publish(blog(list, words));
  const query = 'query List { articleList(where: "headline = = ? and (") { count } }';
  const [first, ...others] = current.definition.mappings;
  const definition = { ...current.definition, mappings: [{ ...first, query }, ...others] };
  await opened.system.update(
    { id, body: { draft: definition, published: definition, publishedNumber: 3 } },
    {},
  );
  const after = await opened.openPublishedApis();
  const message = 'articleList, where: expected a value behind one "=", found "="';
  const problems = [{ message, line: 1, column: 45 }];
  expect(after.status(id)).toEqual([{ mapping: 'List', problems }]);
  expect(after.findRoutes('/blog/list')?.byMethod.get('GET')).toMatchObject({ problems });
  expect(readyAt('/blog/words', 'GET', after).name).toBe('Blog: Words');
});

it('public writes are logged when they take effect, once for each state of their endpoint', async () => {
  const { logger, lines } = createRecordingLogger();
  const open = { ...news, name: 'Open', access: 'ANYONE', writeTypes: ['news.Author'] };
  const { id } = await opened.graphqlEndpoints.create(open);
  const after = await opened.openPublishedApis(logger);
  const types = {
    level: 'warn',
    graphqlEndpoint: 'Open',
    message: 'Anyone can create, change and delete assets of news.Author without credentials',
  };
  expect(lines).toEqual([types]);
  await publish({ ...blog(make, list), access: 'ANYONE' });
  await after.refresh();
  const mutation = {
    level: 'warn',
    restEndpoint: 'Blog',
    mapping: 'Make',
    message: 'Anyone can run the mutation Make without credentials',
  };
  expect(lines).toEqual([types, mutation]);
  await opened.graphqlEndpoints.replace({ id, body: { ...open, maxLimit: 5 } });
  await after.refresh();
  expect(lines).toEqual([types, mutation, types]);
});

it('routes below the path of the public URL are logged, and no others', async () => {
  await publish(blog(list, words));
  await publish({ ...blog(list), name: 'Blogs' });
  const { logger, lines } = createRecordingLogger();
  await opened.openPublishedApis(logger, '/blog');
  expect(lines).toEqual(
    ['List', 'Words'].map((mapping) => ({
      level: 'warn',
      restEndpoint: 'Blog',
      mapping,
      message:
        `The route /blog/${mapping.toLowerCase()} may not be reached: COLOPHON_PUBLIC_URL has the path /blog, ` +
        `so a request to /blog/${mapping.toLowerCase()} is one to /${mapping.toLowerCase()}`,
    })),
  );
});

describe('when the content types have changed', () => {
  const changedSdl = newsSdl.replace('words: Int', 'pages: Int');
  const withoutNews = 'type Page @contentType(class: "web.Page") { title: String }';
  let changed: OpenedEndpoints;
  const { logger, lines } = createRecordingLogger();

  async function reopen(sdl: string): Promise<PublishedApis> {
    changed = await openEndpoints(location, sdl);
    return changed.openPublishedApis(logger);
  }
  afterEach(() => changed.close());

  const routeAt = (from: PublishedApis, path: string): ServedRoute | undefined =>
    from.findRoutes(path)?.byMethod.get('GET');

  it('a mapping that no longer fits is broken, with one log line, and all others are served', async () => {
    const { id } = await publish(blog(list, words));
    const { id: otherId } = await publish({ ...blog(list), name: 'Other' });
    const after = await reopen(changedSdl);
    const problems = [
      { message: expect.stringMatching(/Cannot query field "words" on type "Article"/), line: 1, column: 37 },
    ];
    expect(routeAt(after, '/blog/words')).toMatchObject({ name: 'Blog: Words', access: 'API_KEY', problems });
    expect(routeAt(after, '/blog/words')?.operation).toBeUndefined();
    expect(await run(readyAt('/blog/list', 'GET', after))).toEqual({ data: { articleList: { count: 0 } } });
    expect(await run(readyAt('/other/list', 'GET', after))).toHaveProperty('data');
    expect(after.status(id)).toEqual([{ mapping: 'Words', problems }]);
    expect(after.status(otherId)).toEqual([]);
    expect(after.status('unknown')).toEqual([]);
    await changed.restEndpoints.create({ body: { ...blog(), name: 'Third' }, by });
    await after.refresh();
    expect(lines).toEqual([
      { level: 'error', message: 'mapping is broken', restEndpoint: 'Blog', mapping: 'Words', problems },
    ]);
  });

  it('a GraphQL endpoint serves the remaining types', async () => {
    await opened.graphqlEndpoints.create({
      name: 'Two',
      access: 'ANYONE',
      readTypes: ['news.Author', 'news.Article'],
      writeTypes: ['news.Article'],
    });
    const after = await reopen(newsSdl.replace(/type Article[^\n]*/, ''));
    const api = after.findEndpoint('two')?.api;
    expect(api?.sdl).toContain('type Author');
    expect(api?.prepare('{ authorList { count } }')).not.toHaveProperty('problems');
  });

  it('a GraphQL endpoint without any type refuses everything, and others are served', async () => {
    await opened.graphqlEndpoints.create({ name: 'One', access: 'ANYONE', readTypes: ['news.Article'] });
    const { id } = await publish({ ...blog(list), source: 'One' });
    const after = await reopen(withoutNews);
    const problems = [
      {
        message: 'GraphQL endpoint "One" is broken: "readTypes" names no content type that there is',
        line: 1,
        column: 1,
      },
    ];
    const refused = after.findEndpoint('one')?.api.prepare('{ __typename }');
    expect(refused).toMatchObject({ problems, cause: { code: 'bad_types' } });
    expect(after.status(id)).toEqual([{ mapping: 'List', problems }]);
    expect(after.findEndpoint('news')?.api.prepare('{ pageList { count } }')).not.toHaveProperty('problems');
  });
});

describe('after concurrent writes', () => {
  it('a deleted source breaks its mappings, which still require credentials', async () => {
    const { id } = await publish({ ...blog(list), source: 'News' });
    const [source] = await opened.graphqlEndpoints.list();
    await opened.system.delete({ id: source?.id ?? '' }, {});
    await publishedApis.refresh();
    const problems = [{ message: 'The GraphQL endpoint behind it has been deleted', line: 1, column: 1 }];
    expect(publishedApis.findRoutes('/blog/list')?.byMethod.get('GET')).toMatchObject({
      access: 'CLIENT_CREDENTIALS',
      problems,
    });
    expect(publishedApis.status(id)).toEqual([{ mapping: 'List', problems }]);
  });

  it('a route of two endpoints is served by the older one, and the other reports it as broken', async () => {
    const older = await publish(blog({ ...list, methods: ['GET', 'POST'] }));
    const newer = await publish({ ...blog({ ...list, methods: ['GET', 'PUT'] }), name: 'Newer' });
    const published = { ...newer.current.definition, pathPrefix: '/blog' };
    await opened.system.update({ id: newer.id, body: { published, publishedNumber: 3 } }, {});
    await publishedApis.refresh();
    expect(readyAt('/blog/list').restEndpoint.id).toBe(older.id);
    expect(readyAt('/blog/list', 'PUT').restEndpoint.id).toBe(newer.id);
    expect(publishedApis.status(older.id)).toEqual([]);
    expect(publishedApis.status(newer.id)).toEqual([
      {
        mapping: 'List',
        problems: [{ message: 'GET /blog/list is served by "Blog: List"', line: 1, column: 1 }],
      },
    ]);
  });
});
