import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/opened.ts';
import { type PagesServer, startPagesServer } from '../../../support/pages-server.ts';
import { sendRaw } from '../../../support/raw-http.ts';

const index =
  '<!doctype html><title>Pages</title><script type="module" src="/admin/assets/main-1a2b.js"></script>';
const script = `console.log(${JSON.stringify('colophon '.repeat(500))});`;
const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);

const parent = temporaryFolder();
let folder: string;
let server: PagesServer;

beforeAll(async () => {
  folder = join(parent, 'admin');
  writeFileSync(join(parent, 'secret.txt'), 'not to be read');
  server = await startPagesServer({ admin: folder, guide: join(parent, 'guide') });
});
afterAll(() => server.stop());

const get = (path: string, encoding = 'identity', method = 'GET') =>
  fetch(server.url + path, { method, headers: { 'Accept-Encoding': encoding }, redirect: 'manual' });

const pages = [
  '/admin',
  '/admin/',
  '/admin/content/a.b/c',
  '/admin/assets',
  '/admin/predicates',
  '/docs',
  '/docs/x',
];

// In this order: the folder appears while the server runs.
describe('the pages, before they are built', () => {
  it.each(pages)('%s explains how to build them', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ]);
    expect(await response.text()).toContain('npm run build:admin');
  });
});

describe('the pages', () => {
  beforeAll(() => {
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'index.html'), index);
    writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    writeFileSync(join(folder, 'assets/main-1a2b.js'), script);
    writeFileSync(join(folder, 'assets/photo-3c4d.png'), picture);
  });

  it.each(pages)('%s is the index, which is revalidated each time', async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, index]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-request-id': expect.any(String),
    });
  });

  it('may run only their own scripts, and cannot be framed', async () => {
    const policy = (await get('/admin')).headers.get('Content-Security-Policy')?.split(';') ?? [];
    expect(policy).toEqual(
      expect.arrayContaining([
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: https: http:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "connect-src 'self'",
        "frame-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'self'",
      ]),
    );
    const elsewhere = (await get('/healthz')).headers.get('Content-Security-Policy');
    expect(elsewhere).toBe("default-src 'none';frame-ancestors 'none'");
  });

  it.each(['br', 'gzip', 'gzip, deflate, br', 'identity'])(
    'compress what they are made of: %s',
    async (encoding) => {
      for (const _ of ['first', 'again']) {
        const response = await get('/admin/assets/main-1a2b.js', encoding);
        expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
        expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('Vary')).toBe('Accept-Encoding');
        const coded = encoding === 'identity' ? null : encoding.includes('br') ? 'br' : 'gzip';
        expect(response.headers.get('Content-Encoding')).toBe(coded);
        const length = Number(response.headers.get('Content-Length'));
        expect(length).toBeLessThanOrEqual(coded ? 200 : script.length);
        expect(await response.text()).toBe(script);
      }
    },
  );

  it('send images uncompressed', async () => {
    const response = await get('/admin/assets/photo-3c4d.png', 'br, gzip');
    expect([response.headers.get('Content-Type'), response.headers.get('Content-Encoding')]).toEqual([
      'image/png',
      null,
    ]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture);
  });

  it('cache files without a hash in their name no longer than the index', async () => {
    const response = await get('/admin/favicon.svg');
    expect([response.headers.get('Content-Type'), response.headers.get('Cache-Control')]).toEqual([
      'image/svg+xml',
      'no-cache',
    ]);
  });

  it('answer HEAD as GET without a body, and no other method', async () => {
    const head = await get('/admin', 'identity', 'HEAD');
    expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([
      200,
      String(index.length),
      '',
    ]);
    const post = await get('/admin', 'identity', 'POST');
    expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('are the target of the redirect from the root', async () => {
    const response = await get('/');
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/admin']);
  });

  it('redirect from the former address of the page of predicates, with its query', async () => {
    expect((await get('/_debug/query', 'identity', 'POST')).status).toBe(405);
    for (const query of ['', '?from=x.Y&where=a+%3D+1']) {
      const response = await get(`/_debug/query${query}`);
      expect([response.status, response.headers.get('Location')]).toEqual([302, `/admin/predicates${query}`]);
    }
  });

  it.each([
    '/admin/assets/',
    '/admin/assets/other.js',
    '/admin/assets/main-1a2b.js/',
    '/admin/assets/..%2f..%2fsecret.txt',
    '/admin/assets/../../secret.txt',
    '/admin/assets/%2e%2e/%2e%2e/secret.txt',
    '/admin/assets/..\\..\\secret.txt',
    '/admin/assets/%00',
    '/admin/assets/%E0',
    '/Admin',
    '/_debug',
    '/_debug/query/x',
    '/docsx',
  ])('have nothing at %s', async (path) => {
    const { status, text } = await sendRaw(server.url, { method: 'GET', path });
    expect([status, JSON.parse(text).error.code]).toEqual([404, 'route_not_found']);
  });

  it.each(['/admin/../secret.txt', '/admin/..%2fsecret.txt', '/admin/%2e%2e/secret.txt'])(
    'show no file from outside at %s',
    async (path) => {
      const { status, text } = await sendRaw(server.url, { method: 'GET', path });
      expect([status, text]).toEqual([200, index]);
    },
  );
});
