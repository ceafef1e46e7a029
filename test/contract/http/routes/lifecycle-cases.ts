/** Cases of the served routes of a REST endpoint while the admin API saves, publishes, changes, unpublishes and deletes it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import type { StoreLocation } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { echoMappings, echoSdl } from './echo.ts';
import { open, type RoutesContext, send } from './routes-context.ts';

const mapping = (name: string, type = 'text') => ({
  name,
  query: `query ${name} { ${type}List(limit: 0) { count } }`,
});

/** Runs the cases. */
export function describeLifecycle(
  { publish, instance, newName }: RoutesContext,
  { location, typesDir }: { location: () => StoreLocation; typesDir: () => string },
): void {
  let admin: ClientHeaders;

  beforeAll(async () => {
    admin = await instance().createClient({ scopes: ['admin'] });
    await instance().refresh();
  });

  async function manage(method: string, path: string, json?: object) {
    const sent = { headers: admin, ...(json ? { json } : {}) };
    const { status, body } = await send(instance().url, method, `/api/admin${path}`, sent);
    if (status >= 400) throw new Error(JSON.stringify(body));
    return body;
  }

  /** Calls paths and returns their statuses; for 404, also whether a mapped route answered. */
  async function served(...paths: string[]): Promise<unknown[]> {
    const responses = paths.map(async (path) => {
      const { status, body } = await send(instance().url, 'GET', path);
      return status === 404 && body.errors ? 'not here' : status;
    });
    return Promise.all(responses);
  }

  describe('a REST endpoint', () => {
    it('is served as it was last published, and each change is effective at once', async () => {
      const body = { name: 'Life', source: 'Open', mappings: [mapping('One')] };
      const { id } = await manage('POST', '/rest-endpoints', body);
      const paths = ['/life/one', '/life/two', '/moved/two'];
      expect(await served(...paths)).toEqual([404, 404, 404]);
      await manage('POST', `/rest-endpoints/${id}/publish`);
      expect(await served(...paths)).toEqual([200, 'not here', 404]);
      await manage('PUT', `/rest-endpoints/${id}`, {
        ...body,
        pathPrefix: '/moved',
        mappings: [mapping('Two')],
      });
      expect(await served(...paths)).toEqual([200, 'not here', 404]);
      await manage('POST', `/rest-endpoints/${id}/publish`);
      expect(await served(...paths)).toEqual([404, 404, 200]);
      await manage('POST', `/rest-endpoints/${id}/unpublish`);
      expect(await served(...paths)).toEqual([404, 404, 404]);
      await manage('POST', `/rest-endpoints/${id}/versions/1/restore`);
      expect(await served(...paths)).toEqual([404, 404, 404]);
      await manage('POST', `/rest-endpoints/${id}/publish`);
      expect(await served(...paths)).toEqual([200, 'not here', 404]);
      await manage('DELETE', `/rest-endpoints/${id}`);
      expect(await served(...paths)).toEqual([404, 404, 404]);
    });

    it('follows the access, limits and read types of its source', async () => {
      const source = { name: newName(), readTypes: ['*'], access: 'ANYONE' };
      const { id } = await manage('POST', '/graphql-endpoints', source);
      const limited = { name: 'Limited', query: 'query Limited { textList { items { name } } }' };
      await publish({
        name: 'Follower',
        source: source.name,
        mappings: [mapping('Texts'), mapping('Sites', 'site'), limited],
      });
      const paths = ['/follower/texts', '/follower/sites', '/follower/limited'];
      const change = (changes: object) =>
        manage('PUT', `/graphql-endpoints/${id}`, { ...source, ...changes });
      expect(await served(...paths)).toEqual([200, 200, 200]);
      await change({ access: 'API_KEY' });
      expect(await served(...paths)).toEqual([401, 401, 401]);
      await change({ readTypes: ['com.colophon.cms.db.Text'] });
      expect(await served(...paths)).toEqual([200, 500, 200]);
      await change({});
      expect(await served(...paths)).toEqual([200, 200, 200]);
    });

    it('answers 400 without data when the response would exceed COLOPHON_MAX_ANSWER_BYTES', async () => {
      const small = await startInstance(location(), { typesDir: typesDir(), maxAnswerBytes: 1024 });
      const { restEndpoints, content } = small.services;
      const type = 'com.colophon.cms.db.Text';
      const { _id } = (await content.create({ _type: type, name: 'Long', text: 'x'.repeat(2000) }, {})).asset;
      const by = 'tester';
      const query = (fields: string) => `query Text($id: ID!) { text(_id: $id) { ${fields} } }`;
      const mappings = [
        { name: 'Name', query: query('name') },
        { name: 'Whole', query: query('name text') },
      ];
      const { id } = await restEndpoints.create({
        body: { name: 'Small', source: 'Open', mappings },
        by,
      });
      await restEndpoints.publish({ id, by });
      await small.refresh();
      const get = async (path: string) => {
        const response = await fetch(`${small.url}/small/${path}?id=${_id}`);
        return { status: response.status, body: await response.json() };
      };
      expect(await get('name')).toEqual({ status: 200, body: { data: { text: { name: 'Long' } } } });
      expect(await get('whole')).toEqual({
        status: 400,
        body: {
          errors: [
            {
              message: expect.stringContaining('1024 bytes'),
              extensions: { code: 'answer_too_large', maxAnswerBytes: 1024 },
            },
          ],
        },
      });
      await restEndpoints.unpublish({ id, by });
      await small.stop();
    });

    it('is served by another instance after one publishes it', async () => {
      const other = await startInstance(location(), { typesDir: typesDir() });
      const { restEndpoints } = other.services;
      const by = 'another';
      const { id } = await restEndpoints.create({
        body: { name: 'Far', source: 'Open', mappings: [mapping('One')] },
        by,
      });
      const statusHere = async () => (await served('/far/one'))[0];
      await restEndpoints.publish({ id, by });
      await expect.poll(statusHere).toBe(200);
      await restEndpoints.unpublish({ id, by });
      await expect.poll(statusHere).toBe(404);
      await other.stop();
    });
  });

  describe('after the content types have changed', () => {
    const types = makeTypesFolder(
      echoSdl.replace('html: RichText', '').replace('text: String', 'text: String!'),
    );
    let changed: TestInstance;
    let id: string;
    let echoId: string;

    beforeAll(async () => {
      const { graphqlEndpoints, content } = instance().services;
      ({ _id: echoId } = (await content.create({ _type: 'test.Echo', name: 'a' }, {})).asset);
      await graphqlEndpoints.create({ ...open, name: 'Keyed', access: 'API_KEY' });
      const fits = {
        name: 'Fits',
        query: 'query Fits($id: ID!) { echo(_id: $id) { name } count: echoList { count } }',
      };
      const needs = {
        name: 'Needs',
        query: 'query Needs($id: ID!) { echo(_id: $id) { text } count: echoList(limit: 0) { count } }',
      };
      const mappings = [fits, needs, ...echoMappings(['GET', 'POST'])];
      ({ id } = await publish({ name: 'Drifting', mappings }));
      await publish({ name: 'Keyed drifting', source: 'Keyed', mappings });
      changed = await startInstance(location(), { typesDir: types });
    });

    const ask = (method: string, path: string) => send(changed.url, method, path);

    it.each([
      ['GET', ''],
      ['POST', ''],
      ['GET', '?int=wrong'],
      ['GET', '?__proto__=1'],
    ])('a mapping that no longer fits is answered 500: %s %s', async (method, query) => {
      const { status, headers, body } = await ask(method, `/drifting/echo${query}`);
      expect([status, headers['cache-control'], headers.etag]).toEqual([500, 'no-store', undefined]);
      expect(body).toEqual({
        errors: [
          {
            message: 'The route "Drifting: Echo" is broken: its query no longer fits the content types',
            extensions: { code: 'broken_mapping', http: { status: 500 } },
          },
        ],
      });
    });

    it('valid mappings are served, and the checks before an operation are unchanged', async () => {
      const { status, body } = await ask('GET', `/drifting/fits?id=${echoId}`);
      expect([status, body.data.echo]).toEqual([200, { name: 'a' }]);
      expect((await ask('HEAD', '/drifting/echo')).status).toBe(500);
      expect((await ask('PUT', '/drifting/echo')).status).toBe(405);
      expect((await ask('GET', '/drifting/none')).status).toBe(404);
      expect((await ask('GET', '/keyed-drifting/echo')).status).toBe(401);
    });

    it('a missing value of a newly required field is null with an error, and all other data is returned', async () => {
      const { status, body } = await ask('GET', `/drifting/needs?id=${echoId}`);
      const { count } = body.data.count;
      expect([status, body]).toEqual([
        200,
        {
          errors: [
            expect.objectContaining({
              path: ['echo', 'text'],
              extensions: { code: 'unfit_content' },
            }),
          ],
          data: { echo: { text: null }, count: { count: expect.any(Number) } },
        },
      ]);
      expect(count).toBeGreaterThan(0);
    });

    it('the admin API of the changed instance reports the broken mappings', async () => {
      const brokenAt = async (url: string) => {
        const { body } = await send(url, 'GET', `/api/admin/rest-endpoints/${id}`, { headers: admin });
        return body.broken.map(({ mapping: name }: { mapping: string }) => name);
      };
      expect(await brokenAt(changed.url)).toEqual(['Echo', 'Input', 'Some']);
      expect(await brokenAt(instance().url)).toEqual([]);
      expect(await served(`/drifting/fits?id=${echoId}`, '/drifting/echo')).toEqual([200, 200]);
    });
  });
}
