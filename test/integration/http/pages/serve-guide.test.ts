import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/opened.ts';
import { type PagesServer, startPagesServer } from '../../../support/pages-server.ts';
import { sendRaw } from '../../../support/raw-http.ts';

const inline = 'document.documentElement.classList.add("dark");';
const page = (title: string) =>
  `<!doctype html><title>${title}</title><script id="theme">${inline}</script><script type="module" src="/docs/guide/assets/app.js"></script>`;
const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

const parent = temporaryFolder();
let folder: string;
let server: PagesServer;

beforeAll(async () => {
  folder = join(parent, 'guide');
  server = await startPagesServer({ admin: join(parent, 'admin'), guide: folder });
});
afterAll(() => server.stop());

const get = (path: string, method = 'GET') => fetch(server.url + path, { method, redirect: 'manual' });

// In this order: the folder appears while the server runs.
describe('the guide, before it is built', () => {
  it.each(['/docs/guide', '/docs/guide/', '/docs/guide/cma'])('%s explains how to build it', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await response.text()).toContain('npm run docs:build');
  });
});

describe('the guide', () => {
  beforeAll(() => {
    mkdirSync(join(folder, 'assets'), { recursive: true });
    mkdirSync(join(folder, 'architecture'));
    for (const name of ['index', 'cma', '404', 'architecture/index', 'architecture/stores'])
      writeFileSync(join(folder, `${name}.html`), page(name));
    writeFileSync(join(folder, 'assets/app.js'), 'export {};');
    writeFileSync(join(folder, 'hashmap.json'), '{}');
    writeFileSync(join(parent, 'secret.html'), 'not to be read');
  });

  it.each([
    ['/docs/guide/', 'index'],
    ['/docs/guide/cma', 'cma'],
    ['/docs/guide/cma.html', 'cma'],
    ['/docs/guide/cma?query', 'cma'],
    ['/docs/guide/architecture/', 'architecture/index'],
    ['/docs/guide/architecture/stores', 'architecture/stores'],
  ])('%s is the page %s, revalidated each time', async (path, title) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, page(title)]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['/docs/guide', '/docs/guide/'],
    ['/docs/guide/architecture', '/docs/guide/architecture/'],
  ])('%s redirects to %s', async (path, target) => {
    const response = await get(path);
    expect([response.status, response.headers.get('Location')]).toEqual([302, target]);
  });

  it('allows its inline scripts by hash, and no other', async () => {
    const policy = (await get('/docs/guide/cma')).headers.get('Content-Security-Policy')?.split(';');
    expect(policy).toContain(`script-src 'self' ${hashOf(inline)}`);
    const admin = (await get('/admin')).headers.get('Content-Security-Policy')?.split(';');
    expect(admin).toContain("script-src 'self'");
  });

  it('serves files with their content types, and caches those with a hash in their name', async () => {
    const script = await get('/docs/guide/assets/app.js');
    expect(Object.fromEntries(script.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const json = await get('/docs/guide/hashmap.json');
    expect(Object.fromEntries(json.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    });
  });

  it.each([
    '/docs/guide/nothing',
    '/docs/guide/nothing/',
    '/docs/guide/%2e%2e/secret',
    '/docs/guide/..%2fsecret.html',
  ])('%s is not found, and answers the page for that', async (path) => {
    // Raw, since fetch would resolve `%2e%2e`.
    const { status, text } = await sendRaw(server.url, { method: 'GET', path });
    expect([status, text]).toEqual([404, page('404')]);
  });

  it('answers 404 without a page for an asset of another build, and 405 for other methods', async () => {
    expect((await get('/docs/guide/assets/old.js')).headers.get('Content-Type')).toContain('json');
    expect((await get('/docs/guide/cma', 'POST')).status).toBe(405);
    expect((await get('/docs/guide/cma', 'HEAD')).status).toBe(200);
  });
});
