/** Cache tags of mapped routes: what a response was made of, in the header that the REST endpoint names. */
import { beforeAll, describe, expect, it } from 'vitest';
import { keepsHistory } from '../../../support/history.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { fillWithNews, type NewsIds } from '../routes/news.ts';
import {
  createRoutesContext,
  open,
  type RouteCall,
  type RouteResponse,
  send,
} from '../routes/routes-context.ts';

const news = (name: string) => `com.example.news.${name}`;
const any = (name: string) => `${news(name)}:any`;

const mappings = [
  {
    name: 'One',
    query: 'query One($id: ID!) { article(_id: $id) { headline author { name } related { slug } } }',
    cacheSeconds: 60,
    methods: ['GET', 'POST'],
  },
  { name: 'List', query: 'query List { articleList(where: "slug = first") { items { headline } } }' },
  {
    name: 'By author',
    query: `query ByAuthor { articleList(where: "author/slug = 'ann'") { count } }`,
  },
  {
    name: 'Many',
    query: 'query Many { articleList { items { headline } } imageList(limit: 100) { items { url } } }',
  },
  { name: 'Wrong', query: 'query Wrong($where: String) { articleList(where: $where) { count } }' },
];

describeOnEachStore('cache tags', (locations) => {
  let location: StoreLocation;
  let instance: TestInstance;
  let ids: NewsIds;
  const context = createRoutesContext(() => instance);
  const ask = (path: string, headers: RouteCall['headers'] = {}) => context.call('GET', path, { headers });
  const tagsOf = ({ headers }: RouteResponse, name = 'cache-tag') =>
    String(headers[name])
      .split(name === 'xkey' ? ' ' : ',')
      .toSorted();

  beforeAll(async () => {
    location = locations();
    instance = await startInstance(location);
    await instance.services.graphqlEndpoints.create(open);
    ids = await fillWithNews(instance.services.content);
    await context.publish({ name: 'Tagged', cacheTags: 'Cache-Tag', mappings });
  });

  it('name the asset and the referenced ones, with their types', async () => {
    const response = await ask(`/tagged/one?id=${ids.first}`);
    expect(tagsOf(response)).toEqual([news('Article'), news('Author'), ids.first, ids.ann].toSorted());
  });

  it('have the types instead of an asset that does not exist', async () => {
    const { headers, body } = await ask(`/tagged/one?id=${ids.third}`);
    expect(body.data.article.author).toBeNull();
    const tags = tagsOf({ headers } as RouteResponse);
    expect(tags).toContain(any('Author'));
    expect(tags).toContain(ids.second);
    expect(tags).not.toContain(ids.missing);
  });

  it('of a list have the types that it searched, also through references', async () => {
    expect(tagsOf(await ask('/tagged/list'))).toEqual(
      [any('Article'), news('Article'), ids.first].toSorted(),
    );
    expect(tagsOf(await ask('/tagged/by-author'))).toEqual([any('Article'), any('Author')]);
  });

  it('are on a kept response, on a 304 and on the response to HEAD', async () => {
    const path = `/tagged/one?id=${ids.second}`;
    const first = await ask(path);
    const known = { 'If-None-Match': String(first.headers.etag) };
    for (const response of [await ask(path), await ask(path, known), await context.call('HEAD', path)])
      expect(tagsOf(response)).toEqual(tagsOf(first));
    expect((await ask(path, known)).status).toBe(304);
  });

  it('are types alone on a 304 of a process that has not made the response', async () => {
    const path = `/tagged/one?id=${ids.first}`;
    const { headers } = await ask(path);
    const other = await startInstance(location, { routeCacheBytes: 0 });
    const conditional = { headers: { 'If-None-Match': String(headers.etag) } };
    const response = await send(other.url, 'GET', path, conditional);
    await other.stop();
    expect(response.status).toBe(304);
    const types = ['Article', 'Author', 'Section'].map(any);
    // Without a change log the query runs each time.
    if (await keepsHistory(instance)) expect(tagsOf(response)).toEqual(types);
    else expect(tagsOf(response)).toContain(ids.first);
  });

  it('are absent from errors, from POST, and where the setting is off', async () => {
    const wrong = await ask('/tagged/wrong?where=(');
    const posted = await context.call('POST', '/tagged/one', { json: { id: ids.first } });
    expect([wrong.status, posted.status]).toEqual([400, 200]);
    await context.publish({ name: 'Untagged', mappings });
    const untagged = await ask(`/untagged/one?id=${ids.first}`);
    expect(untagged.status).toBe(200);
    for (const { headers } of [wrong, posted, untagged]) expect(headers).not.toHaveProperty('cache-tag');
  });

  it('are separated by spaces in a header whose name does not contain "tag"', async () => {
    await context.publish({ name: 'Keyed', cacheTags: 'xkey', mappings });
    const response = await ask(`/keyed/one?id=${ids.first}`);
    expect(tagsOf(response, 'xkey')).toEqual(
      [news('Article'), news('Author'), ids.first, ids.ann].toSorted(),
    );
  });

  it('have another form in a response that was kept before the setting has changed', async () => {
    const path = '/changing/list';
    const { id } = await context.publish({ name: 'Changing', mappings });
    await ask(path);
    const { restEndpoints } = instance.services;
    const body = { name: 'Changing', source: open.name, cacheTags: 'Surrogate-Key', mappings };
    await restEndpoints.save({ id, body, by: 'a test' });
    await restEndpoints.publish({ id, by: 'a test' });
    await instance.refresh();
    const response = await send(instance.url, 'GET', path);
    expect(String(response.headers['surrogate-key']).split(' ')).toContain(ids.first);
  });

  it('are types alone beyond 2 KiB', async () => {
    const image = (n: number) => ({
      _type: news('Image'),
      url: `https://example.com/${n}.jpg`,
      alternativeText: `${n}`,
    });
    for (let n = 0; n < 56; n++) await instance.services.content.create(image(n), {});
    expect(tagsOf(await ask('/tagged/many'))).toEqual([any('Article'), any('Image')]);
  });

  it('never name an asset that the client may not see', async () => {
    const { content } = instance.services;
    const site = async (name: string) =>
      (await content.create({ _type: 'com.colophon.cms.db.Site', name }, {})).asset._id;
    const [own, foreign] = [await site('Own'), await site('Foreign')];
    const owned = (_ref: string) => ({ 'cms.site.owner': { _ref, _type: 'com.colophon.cms.db.Site' } });
    const create = async (fields: object) => (await content.create({ ...fields }, {})).asset._id;
    const hidden = await create({
      _type: news('Author'),
      slug: 'hidden',
      name: 'Hidden',
      ...owned(foreign),
    });
    const seen = await create({
      _type: news('Article'),
      slug: 'seen',
      headline: 'Seen',
      status: 'DRAFT',
      author: { _ref: hidden, _type: news('Author') },
      ...owned(own),
    });
    const client = await instance.createClient({ scopes: ['graphql'], sites: [own] });
    await context.publish({ name: 'Sites', access: 'CLIENT_CREDENTIALS', cacheTags: 'Cache-Tag', mappings });
    await instance.refresh();
    const response = await ask(`/sites/one?id=${seen}`, client);
    expect(response.body.data.article).toMatchObject({ headline: 'Seen', author: null });
    expect(tagsOf(response)).toContain(seen);
    expect(JSON.stringify(response.headers)).not.toContain(hidden);
    const unseen = await ask(`/sites/one?id=${hidden}`, client);
    expect(JSON.stringify(unseen.headers)).not.toContain(hidden);
  });

  describe('a name that is refused', () => {
    it.each(['Set-Cookie', 'ETag', 'cache-control', 'Content-Type', 'X-Api-Key', 'a b', 'x\r\ny', 'Ünit'])(
      '%j',
      async (cacheTags) => {
        const body = { name: context.newName(), source: open.name, cacheTags, mappings };
        await expect(instance.services.restEndpoints.create({ body, by: 'a test' })).rejects.toMatchObject({
          code: 'invalid_body',
          details: { problems: [{ path: 'cacheTags', message: expect.stringContaining('Surrogate-Key') }] },
        });
      },
    );
  });
});
