/**
 * A cache that obeys cache tags is never outdated: whatever is written, once the tags of the writes are purged, each response that
 * is still cached has the body that a request would get.
 *
 * The cache is a model: responses with their tags, for an anonymous caller and for a client that is restricted to one site. Each tag
 * that is an ID must be of an asset that its receiver can read.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { PurgeSet } from '../../src/webhooks/purge/purge-worker.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../support/instance.ts';
import { sqliteLocation } from '../support/stores.ts';

const siteClass = 'com.colophon.cms.db.Site';
const news = (name: string) => `com.example.news.${name}`;
const articles = 4;
const authors = 2;

const mappings = [
  {
    name: 'One',
    query: 'query One($id: ID!) { article(_id: $id) { headline author { name } related { slug } } }',
  },
  { name: 'Author', query: 'query Writer($id: ID!) { author(_id: $id) { name } }' },
  { name: 'All', query: 'query All { articleList(limit: 3) { count items { headline author { name } } } }' },
  { name: 'Drafts', query: 'query Drafts { articleList(where: "status = DRAFT") { items { slug } } }' },
  { name: 'Named', query: `query Named { articleList(where: "author/name = 'Name 1'") { count } }` },
  { name: 'Pages', query: 'query Pages { pageList { items { slug } } }' },
  {
    name: 'Facets',
    query: 'query Facets { articleList { facets(paths: ["status"]) { values { value count } } } }',
  },
];

/** One write. `asset` and `to` are positions in the pools; `value` makes the new content. */
const write = fc.record({
  kind: fc.constantFrom('article', 'article', 'article', 'author', 'delete', 'delete author', 'erase'),
  asset: fc.nat(articles - 1),
  to: fc.nat(authors),
  value: fc.nat(2),
});
/** Writes that are purged together. */
const round = fc.array(write, { minLength: 1, maxLength: 3 });

let instance: TestInstance;
let client: ClientHeaders;
const sites: string[] = [];

beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  const { content, graphqlEndpoints, restEndpoints } = instance.services;
  const open = { name: 'Open', readTypes: ['*'], access: 'ANYONE' };
  await graphqlEndpoints.create(open);
  for (const [name, access] of [
    ['Open', 'ANYONE'],
    ['Own', 'CLIENT_CREDENTIALS'],
  ] as const) {
    const body = { name, source: open.name, access, cacheTags: 'Surrogate-Key', mappings };
    const { id } = await restEndpoints.create({ body, by: 'a test' });
    await restEndpoints.publish({ id, by: 'a test' });
  }
  for (const name of ['First', 'Second'])
    sites.push((await content.create({ _type: siteClass, name }, {})).asset._id);
  client = await instance.createClient({ scopes: ['graphql', 'cma:read'], sites: sites.slice(0, 1) });
  await instance.refresh();
});

it('leaves nothing outdated in a cache that is purged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(round, { minLength: 3, maxLength: 8 }),
      fc.constantFrom(0, 1, 1_000),
      async (rounds, maxAssets) => {
        const pool = createPool();
        const cache = createCache(pool.urls());
        await cache.fill();
        let { seq } = await newestChange();
        for (const writes of rounds) {
          for (const each of writes) await pool.apply(each);
          const purge = new PurgeSet(maxAssets);
          for (const change of await changesAfter(seq)) purge.add(change);
          ({ seq } = await newestChange());
          cache.purge(purge.tags());
          await cache.assertCurrent();
          await cache.fill();
        }
        await pool.clear();
      },
    ),
    { numRuns: 12 },
  );
});

async function newestChange(): Promise<{ readonly seq: number }> {
  const { items } = await instance.services.audit.page({ filter: {}, limit: 1 });
  return { seq: items[0]?.seq ?? 0 };
}

async function changesAfter(seq: number) {
  const { items } = await instance.services.audit.page({ filter: {}, limit: 50 });
  return items.filter((item) => item.seq > seq);
}

/** The assets that are written, by their position; their IDs are known from the start. */
function createPool() {
  const { content } = instance.services;
  const articleIds = Array.from({ length: articles }, () => crypto.randomUUID());
  const authorIds = Array.from({ length: authors }, () => crypto.randomUUID());
  const [first = ''] = sites;
  const refer = (_ref: string, _type: string) => ({ _ref, _type });

  async function put(_id: string, body: { readonly _type: string; readonly slug: string }): Promise<void> {
    const { slug, ...changes } = body;
    await content.update({ id: _id, body: changes }, {}).catch(() => content.create({ _id, ...body }, {}));
  }

  async function apply({ kind, asset, to, value }: typeof write extends fc.Arbitrary<infer W> ? W : never) {
    const id = articleIds[asset] ?? '';
    const authorId = authorIds[to % authors] ?? '';
    const owner = { 'cms.site.owner': to === authors ? null : refer(sites[to] ?? first, siteClass) };
    const given = to === authors ? {} : owner;
    const remove = (removed: string) => content.delete({ id: removed }, {}).catch(() => undefined);
    if (kind === 'delete') return void (await remove(id));
    if (kind === 'erase')
      return void (await content.history
        .erase({ id, eraseCopies: async () => {} }, {})
        .catch(() => undefined));
    if (kind === 'delete author') return void (await remove(authorId));
    if (kind === 'author') {
      await put(authorId, {
        _type: news('Author'),
        slug: `w-${authorId}`,
        ...{ name: `Name ${value}`, ...given },
      });
      return;
    }
    const author = { author: refer(authorId, news('Author')) };
    const hasAuthor = await content.get(authorId, {}).then(
      () => true,
      () => false,
    );
    const fields = { headline: `Headline ${value}`, status: value === 1 ? 'DRAFT' : 'PUBLISHED', ...given };
    await put(id, { _type: news('Article'), slug: `a-${id}`, ...fields, ...(hasAuthor ? author : {}) });
  }

  return {
    apply,
    urls: () => [
      ...articleIds.map((id) => `/one?id=${id}`),
      ...authorIds.map((id) => `/author?id=${id}`),
      ...['/all', '/drafts', '/named', '/pages', '/facets'],
    ],
    async clear() {
      for (const id of [...articleIds, ...authorIds]) await content.delete({ id }, {}).catch(() => undefined);
    },
  };
}

/** A cache of the responses at some addresses for both callers. */
function createCache(paths: readonly string[]) {
  const cached = new Map<
    string,
    { readonly body: string; readonly tags: readonly string[]; readonly etag: string }
  >();
  const urls = paths.flatMap((path) => [`/open${path}`, `/own${path}`]);

  async function ask(url: string, headers: Record<string, string> = {}) {
    const own = url.startsWith('/own') ? client : {};
    const response = await fetch(instance.url + url, { headers: { ...own, ...headers } });
    const tags = response.headers.get('surrogate-key')?.split(' ') ?? [];
    return {
      status: response.status,
      body: await response.text(),
      tags,
      etag: response.headers.get('etag') ?? '',
    };
  }

  async function assertVisible(tags: readonly string[]): Promise<void> {
    for (const id of tags.filter((tag) => /^[\da-f-]{36}$/.test(tag))) {
      const { status } = await fetch(`${instance.cmaUrl}/${id}`, { headers: client });
      expect([id, status]).toEqual([id, 200]);
    }
  }

  return {
    /** Requests what is not cached, and revalidates the rest: a 304 may bring other tags. */
    async fill() {
      for (const url of urls) {
        const known = cached.get(url);
        const answer = await ask(url, known ? { 'If-None-Match': known.etag } : {});
        expect([url, answer.status]).toEqual([url, known ? 304 : 200]);
        cached.set(url, { ...answer, body: known?.body ?? answer.body });
        if (url.startsWith('/own')) await assertVisible(answer.tags);
      }
    },
    purge(tags: readonly string[]) {
      const purged = new Set(tags);
      for (const [url, entry] of cached) if (entry.tags.some((tag) => purged.has(tag))) cached.delete(url);
    },
    async assertCurrent() {
      for (const [url, { body }] of cached) expect([url, (await ask(url)).body]).toEqual([url, body]);
    },
  };
}
