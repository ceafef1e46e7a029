/** Cases of cache headers and conditional requests. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createNews } from './news.ts';
import type { RouteResponse, RoutesContext } from './routes-context.ts';

const find = {
  name: 'Find',
  query:
    'query Find($slug: JSON = "cached") { articleList(where: "slug = ?", values: [$slug]) { items { headline } } }',
};
const mappings = [
  { ...find, cacheSeconds: 60, methods: ['GET', 'POST'] },
  { ...find, name: 'Always asked' },
  {
    name: 'Bad',
    query: 'query Bad($where: String) { articleList(where: $where) { count } }',
    cacheSeconds: 60,
  },
  {
    name: 'Change',
    query:
      'mutation Change($id: ID!, $headline: String!) { updateArticle(_id: $id, input: { headline: $headline }) { headline } }',
    methods: ['GET'],
  },
];

/** Runs the cases. */
export function describeCaching({ call, publish, instance }: RoutesContext): void {
  let id: string;
  let key: Record<string, string>;

  beforeAll(async () => {
    const { services, createClient, refresh } = instance();
    ({ _id: id } = (await services.content.create(createNews('cached'), {})).asset);
    const { 'X-Client-Id': clientId } = await createClient({ scopes: ['graphql'] });
    key = { 'X-API-Key': (await services.clients.addKey({ clientId, name: 'cache' })).secret };
    await refresh();
    await publish({ name: 'Public', mappings });
    await publish({ name: 'Private', access: 'API_KEY', mappings });
  });

  const cachingOf = ({ status, headers }: RouteResponse) => [status, headers['cache-control'], headers.vary];
  const credentials = 'Authorization, X-Client-Id, X-Client-Secret, X-API-Key';
  const ask = (path: string, headers: Record<string, string> = {}) => call('GET', path, { headers });
  const tagOf = async (path: string) => (await ask(path)).headers.etag ?? '';

  describe('a response', () => {
    it('may be cached by anyone for the seconds of its mapping, when anyone has access', async () => {
      expect(cachingOf(await ask('/public/find'))).toEqual([200, 'public, max-age=60', undefined]);
      expect(cachingOf(await ask('/public/always-asked'))).toEqual([200, 'public, no-cache', undefined]);
    });

    it('may be cached only by its receiver when credentials are required', async () => {
      expect(cachingOf(await ask('/private/find', key))).toEqual([200, 'private, max-age=60', credentials]);
      expect(cachingOf(await ask('/private/always-asked', key))).toEqual([
        200,
        'private, no-cache',
        credentials,
      ]);
    });

    it('has a strong ETag, which changes only with the data', async () => {
      const before = await tagOf('/public/find');
      expect(before).toMatch(/^"[\w-]{20,}"$/);
      expect(await tagOf('/public/find?slug=cached&unknown=1')).toBe(before);
      expect(await tagOf('/public/find?slug=nothing')).not.toBe(before);
      expect((await call('HEAD', '/public/find')).headers.etag).toBe(before);
      await instance().services.content.update({ id, body: { headline: 'Changed' } }, {});
      expect(await tagOf('/public/find')).not.toBe(before);
    });

    it('is 304 when If-None-Match has its ETag', async () => {
      const tag = await tagOf('/public/find');
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*', ' * ']) {
        for (const method of ['GET', 'HEAD']) {
          const response = await call(method, '/public/find', { headers: { 'If-None-Match': known } });
          expect([known, ...cachingOf(response)]).toEqual([known, 304, 'public, max-age=60', undefined]);
          expect([response.text, response.headers.etag, response.headers['content-type']]).toEqual([
            '',
            tag,
            undefined,
          ]);
        }
      }
      const response = await ask('/private/find', { ...key, 'If-None-Match': tag });
      expect(cachingOf(response)).toEqual([304, 'private, max-age=60', credentials]);
    });

    it('is 200 when If-None-Match has another or an invalid ETag', async () => {
      const tag = await tagOf('/public/find');
      for (const known of ['"other"', tag.slice(1, -1), tag.slice(0, -2), `x${tag}`, '']) {
        expect((await ask('/public/find', { 'If-None-Match': known })).status).toBe(200);
      }
      await instance().services.content.update({ id, body: { headline: 'Changed again' } }, {});
      const { status, body } = await ask('/public/find', { 'If-None-Match': tag });
      expect([status, body.data.articleList.items]).toEqual([200, [{ headline: 'Changed again' }]]);
    });

    it.each<[name: string, status: number, method: string, path: string, withKey: boolean]>([
      ['an error of the operation', 400, 'GET', '/bad?where=(', true],
      ['a wrong variable', 400, 'GET', '/find?slug=%ff', true],
      ['no credentials', 401, 'GET', '/find', false],
      ['no such path', 404, 'GET', '/none', true],
      ['no such method', 405, 'PUT', '/find', true],
      ['a query by POST', 200, 'POST', '/find', true],
    ])('is not cached: %s', async (_name, status, method, path, withKey) => {
      const headers = { ...(withKey ? key : {}), 'If-None-Match': '*' };
      const response = await call(method, `/private${path}`, { headers });
      const vary = status === 404 || status === 405 ? undefined : credentials;
      expect(cachingOf(response)).toEqual([status, 'no-store', vary]);
      expect(response.headers.etag).toBeUndefined();
    });

    it('to a mutation is not cached, even by GET', async () => {
      for (const headline of ['By GET', 'By GET again']) {
        const path = `/public/change?id=${id}&headline=${encodeURIComponent(headline)}`;
        const response = await ask(path, { 'If-None-Match': '*' });
        expect(cachingOf(response)).toEqual([200, 'no-store', undefined]);
        expect([response.headers.etag, response.body.data]).toEqual([
          undefined,
          { updateArticle: { headline } },
        ]);
        const { asset } = await instance().services.content.get(id, {});
        expect(asset.headline).toBe(headline);
      }
      expect((await call('POST', `/public/change?id=${id}&headline=x`)).status).toBe(405);
    });
  });
}
