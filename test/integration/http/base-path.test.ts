/** A public URL with a path, requested as a proxy sends it on: with the path, and without it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { type PagesServer, startPagesServer } from '../../support/pages-server.ts';
import { sqliteLocation } from '../../support/stores.ts';

const settings = { publicUrl: 'https://example.com/cms', basePath: '/cms' };

describe.each(['', '/cms'])('requests to %s/… below the public path /cms', (sent) => {
  const location = sqliteLocation();
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await startInstance(location, settings);
  });
  const send = (path: string, init: RequestInit = {}) =>
    fetch(instance.url + sent + path, { redirect: 'manual', ...init });
  const post = (path: string, body: object, headers = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it('are redirected below the path', async () => {
    const response = await send('/');
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/cms/admin']);
  });

  it('set cookies for the path alone', async () => {
    const { email, password } = await instance.createUser();
    const response = await post('/api/admin/session', { email, password });
    const cookies = response.headers.getSetCookie();
    expect(cookies.map((cookie) => /Path=[^;]*/.exec(cookie)?.[0])).toEqual(['Path=/cms', 'Path=/cms']);
  });

  it('get locations below the path, also from stored responses', async () => {
    const asset = { _type: 'com.colophon.cms.db.Text', name: 'Located' };
    const headers = { ...instance.headers, 'Idempotency-Key': `key${sent.length}` };
    const [first, second] = [
      await post('/api/rest/cma/contents', asset, headers),
      await post('/api/rest/cma/contents', asset, headers),
    ];
    const { _id } = Object(await first.json()).result;
    for (const response of [first, second])
      expect(response.headers.get('Location')).toBe(`/cms/api/rest/cma/contents/${_id}`);
    expect((await send(`/api/rest/cma/contents/${_id}?x`, { headers })).status).toBe(400);
    expect((await send(`/api/rest/cma/contents/${_id}`, { headers })).status).toBe(200);
  });

  it('to other paths that begin alike are not changed', async () => {
    const response = await fetch(`${instance.url}/cmss/healthz`);
    expect([response.status, Object(await response.json()).error.message]).toEqual([
      404,
      expect.stringContaining('/cmss/healthz'),
    ]);
    expect((await send('/healthz')).status).toBe(200);
  });

  it('cannot be hidden by a REST endpoint at that path', async () => {
    const { restEndpoints, graphqlEndpoints } = instance.services;
    const source = await graphqlEndpoints.create({
      name: 'News',
      readTypes: ['com.colophon.cms.db.Text'],
      writeTypes: [],
      access: 'ANYONE',
    });
    const body = { name: 'Shadow', source: source.id, pathPrefix: '/cms', mappings: [] };
    await expect(restEndpoints.create({ body, by: 'a test' })).rejects.toMatchObject({
      details: {
        problems: expect.arrayContaining([
          { path: 'pathPrefix', message: expect.stringContaining('/cms is reserved') },
        ]),
      },
    });
  });
});

describe('built pages below the public path', () => {
  const parent = temporaryFolder();
  const [admin, guide] = [join(parent, 'admin'), join(parent, 'guide')];
  let server: PagesServer;
  beforeAll(async () => {
    for (const folder of [admin, guide]) {
      mkdirSync(join(folder, 'assets'), { recursive: true });
      writeFileSync(
        join(folder, 'index.html'),
        `<script src="/__base__/x.js"></script>${'é /__base__/ '.repeat(200)}`,
      );
      writeFileSync(join(folder, 'assets/x.js'), 'export const base = "/__base__/";');
    }
    server = await startPagesServer({ admin, guide, basePath: '/cms' });
  });
  afterAll(() => server.stop());

  it.each(['/admin', '/cms/admin', '/docs/guide/', '/cms/docs/guide/'])(
    '%s names files below it',
    async (path) => {
      const plain = await fetch(server.url + path, { headers: { 'Accept-Encoding': 'identity' } });
      const text = await plain.text();
      expect(text).toBe(`<script src="/cms/x.js"></script>${'é /cms/ '.repeat(200)}`);
      expect(plain.headers.get('Content-Length')).toBe(String(Buffer.byteLength(text)));
    },
  );

  it('has the path in compressed files and scripts, too', async () => {
    const script = await fetch(`${server.url}/cms/docs/guide/assets/x.js`);
    expect(await script.text()).toBe('export const base = "/cms/";');
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      request(`${server.url}/admin`, { headers: { 'Accept-Encoding': 'gzip' } }, async (response) =>
        resolve(Buffer.concat(await response.toArray())),
      )
        .on('error', reject)
        .end();
    });
    expect(gunzipSync(bytes).toString()).toContain('/cms/x.js');
  });

  it('redirects below it', async () => {
    const response = await fetch(`${server.url}/cms/docs/guide`, { redirect: 'manual' });
    expect(response.headers.get('Location')).toBe('/cms/docs/guide/');
  });
});
