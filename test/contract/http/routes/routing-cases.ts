/** Cases of routing: which request reaches which mapping, and the responses to all others. */
import { beforeAll, describe, expect, it } from 'vitest';
import { by, type RoutesContext, send } from './routes-context.ts';

const textType = 'com.colophon.cms.db.Text';
const list = 'query List { textList(limit: 0) { count } }';
const remove = 'mutation Remove { deleteText(_id: "none") }';

const routing = {
  name: 'Routing',
  pathPrefix: '/Routing/v1.0',
  mappings: [
    { name: 'The prefix itself', path: '', query: list },
    { name: 'Every letter', path: '/Aa09._~-/b', query: list },
    { name: 'Read', path: '/both', query: list },
    { name: 'Write', path: '/both', query: remove, methods: ['PUT', 'POST'] },
    { name: 'Remove', path: '/remove', query: remove, methods: ['DELETE'] },
    {
      name: 'Create',
      path: '/create',
      query: 'mutation Create($name: String!) { createText(input: { name: $name }) { _id } }',
      methods: ['GET', 'POST'],
    },
  ],
};

/** Runs the cases. */
export function describeRouting({ call, publish, instance, newName }: RoutesContext): void {
  describe('a route', () => {
    beforeAll(() => publish(routing));

    it.each([
      ['GET', '', 'textList'],
      ['GET', '?', 'textList'],
      ['GET', '/Aa09._~-/b', 'textList'],
      ['GET', '/both', 'textList'],
      ['POST', '/both', 'deleteText'],
      ['PUT', '/both', 'deleteText'],
      ['DELETE', '/remove?_id=1', 'deleteText'],
    ])('is served at its path, with its methods: %s %s', async (method, path, field) => {
      const { status, body } = await call(method, `/Routing/v1.0${path}`);
      expect([status, Object.keys(body.data)]).toEqual([200, [field]]);
    });

    it('is reached by a whole URL, as proxies send it', async () => {
      const { url } = instance();
      expect((await call('GET', `${url}/Routing/v1.0/both`)).status).toBe(200);
      expect((await call('GET', `${url}/Routing/v1.0/none`)).status).toBe(404);
    });

    it.each([
      '/',
      '/none',
      '/none?both',
      '/both/',
      '/both//',
      '//both',
      '/both/more',
      '/Both',
      '/bot',
      '/%62oth',
      '/both%20',
      '/both%00',
      '/%ff',
      '/both;v=1',
      '/x/../both',
      '/./both',
      '/Aa09._%7E-/b',
      '/__proto__',
      '/remove/..',
    ])('answers 404 at every other path below its prefix: %s', async (path) => {
      for (const method of ['GET', 'POST', 'PATCH']) {
        const { status, body } = await call(method, `/Routing/v1.0${path}`);
        expect([status, body]).toEqual([
          404,
          {
            errors: [
              {
                message: expect.stringMatching(/^Nothing is served at "\/Routing/),
                extensions: { code: 'route_not_found', http: { status: 404 } },
              },
            ],
          },
        ]);
      }
    });

    it.each([
      '/Routing',
      '/Routing/',
      '/Routing/v1',
      '/Routing/v1.0x',
      '/routing/v1.0/both',
      '//Routing/v1.0',
    ])('does not match paths outside its prefix: %s', async (path) => {
      const { status, body } = await send(instance().url, 'GET', path);
      expect([status, body]).toEqual([
        404,
        { status: 'error', result: null, error: { code: 'route_not_found', message: expect.any(String) } },
      ]);
    });

    it.each([
      ['', ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], 'GET, HEAD'],
      ['/both', ['DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'], 'GET, PUT, POST, HEAD'],
      ['/remove', ['GET', 'HEAD', 'POST', 'OPTIONS'], 'DELETE'],
    ])('answers unsupported methods with 405 and Allow: %j', async (path, methods, allow) => {
      for (const method of methods) {
        const { status, headers, body } = await call(method, `/Routing/v1.0${path}`);
        expect([method, status, headers.allow]).toEqual([method, 405, allow]);
        const code = method === 'HEAD' ? undefined : body.errors[0].extensions.code;
        expect(code).toBe(method === 'HEAD' ? undefined : 'method_not_allowed');
      }
    });

    it('answers HEAD like GET, without the body', async () => {
      const get = await call('GET', '/Routing/v1.0/both');
      const head = await call('HEAD', '/Routing/v1.0/both');
      const unlike = { date: expect.anything(), 'x-request-id': expect.anything() };
      expect([head.status, head.headers]).toEqual([200, { ...get.headers, ...unlike }]);
      expect(head.headers['content-length']).toBe(String(get.text.length));
      const missing = await call('HEAD', '/Routing/v1.0/none');
      expect([missing.status, missing.text]).toEqual([404, '']);
    });

    it('refuses HEAD where GET runs a mutation, and does not run it', async () => {
      const name = newName();
      const path = `/Routing/v1.0/create?name=${encodeURIComponent(name)}`;
      const head = await call('HEAD', path);
      expect([head.status, head.headers.allow]).toEqual([405, 'GET, POST']);
      const { content } = instance().services;
      const count = async () =>
        (
          await content.find(
            { from: textType, where: 'name = ?', values: [name], offset: 0, limit: 0, withCount: true },
            {},
          )
        ).count;
      expect(await count()).toBe(0);
      expect((await call('GET', path)).status).toBe(200);
      expect(await count()).toBe(1);
    });

    it('gets its path from its name and the name of its endpoint by default', async () => {
      await publish({ name: 'Été à Paris', mappings: [{ name: 'All of Them!', query: list }] });
      expect((await call('GET', '/ete-a-paris/all-of-them')).status).toBe(200);
    });

    it('may share its prefix with a route of another endpoint', async () => {
      const below = (path: string) => ({
        name: newName(),
        pathPrefix: '/shared',
        mappings: [{ name: 'List', path, query: list }],
      });
      await publish(below('/a'));
      await publish({ ...below('/b'), pathPrefix: '/shared/a' });
      for (const path of ['/shared/a', '/shared/a/b']) expect((await call('GET', path)).status).toBe(200);
    });

    it.each([
      ['/Routing/v1.0/both', 'GET', /which mapping "Read" of REST endpoint "Routing" already uses/],
      ['/graphql/x', 'GET', /reserved for Colophon/],
      ['/api/rest/cma/contents', 'POST', /reserved for Colophon/],
    ])('that conflicts with another path is not saved: %s', async (pathPrefix, method, message) => {
      const body = {
        name: newName(),
        source: 'Open',
        pathPrefix,
        mappings: [{ name: 'X', path: '', query: list, methods: [method] }],
      };
      const { restEndpoints } = instance().services;
      await expect(restEndpoints.create({ body, by })).rejects.toThrow(message);
    });
  });
}
