/** Compression of the responses of the CMA, the admin API and GraphQL endpoints. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';

const type = 'com.colophon.cms.db.Text';
const long = 'A long text. '.repeat(1000);

let instance: TestInstance;
let id: string;
let headers: Record<string, string>;
beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  headers = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'graphql', 'admin'] });
  await instance.refresh();
  const { content } = instance.services;
  ({ _id: id } = (await content.create({ _type: type, name: 'Long', text: long }, {})).asset);
  const operations = Array.from({ length: 150 }, (_, n) => ({
    action: 'create',
    asset: { _type: type, name: `Text ${n}`, text: long },
  }));
  await fetch(`${instance.cmaUrl}/batch`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ operations }),
  });
});

/** Sends a request; `fetch` decompresses the body. */
async function ask(
  path: string,
  encoding: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
) {
  const sent = { ...init, headers: { ...headers, 'Accept-Encoding': encoding, ...init.headers } };
  const response = await fetch(instance.url + path, sent);
  const header = (name: string) => response.headers.get(name);
  return {
    response,
    text: await response.text(),
    coding: header('Content-Encoding'),
    vary: header('Vary'),
    header,
  };
}

const cma = '/api/rest/cma/contents';

describe('a response over 1 KiB', () => {
  it.each([
    ['an asset', () => `${cma}/${id}`],
    ['a short page', () => `${cma}?from=${type}&limit=2`],
    ['a streamed page', () => `${cma}?from=${type}&limit=200`],
  ])('of the CMA is compressed: %s', async (_name, path) => {
    const plain = await ask(path(), 'identity');
    expect([plain.coding, plain.vary, plain.text.length > 10_000]).toEqual([null, 'Accept-Encoding', true]);
    for (const coding of ['gzip', 'br']) {
      const coded = await ask(path(), coding);
      expect([coded.coding, coded.vary]).toEqual([coding, 'Accept-Encoding']);
      expect(coded.text).toBe(plain.text);
      const head = await ask(path(), coding, { method: 'HEAD' });
      expect([head.coding, head.header('Content-Length')]).toEqual([coding, coded.header('Content-Length')]);
    }
  });

  it('of a GraphQL endpoint is compressed', async () => {
    const query = `{ textList(limit: 3) { items { text } } }`;
    const { coding, vary, text } = await ask('/graphql/delivery', 'gzip', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect([coding, vary?.startsWith('Accept, '), vary?.endsWith(', Accept-Encoding')]).toEqual([
      'gzip',
      true,
      true,
    ]);
    expect(JSON.parse(text).data.textList.items).toHaveLength(3);
  });

  it('of the admin API is not compressed, since a browser sends its session by itself', async () => {
    const { coding, text } = await ask('/api/admin/types', 'gzip, br');
    expect([coding, text.length > 1024]).toEqual([null, true]);
  });

  it('of a query of the admin API is compressed, since no other site can send one', async () => {
    const query = (encoding: string) =>
      ask('/api/admin/query', encoding, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ from: type, limit: 3 }),
      });
    const { coding, text, response } = await query('br');
    expect([response.status, coding, text.length > 10_000]).toEqual([200, 'br', true]);
    expect((await query('identity')).coding).toBeNull();
  });
});

it('a short response is not compressed, and does not vary', async () => {
  const { coding, vary } = await ask(`${cma}?from=${type}&limit=0`, 'gzip');
  expect([coding, vary]).toEqual([null, null]);
});

it('a weak ETag of a compressed asset does for If-None-Match, If-Match and X-Base-Version', async () => {
  const tag = (await ask(`${cma}/${id}`, 'gzip')).header('ETag') ?? '';
  expect(tag).toMatch(/^W\/"[\w.-]+"$/);
  for (const known of [tag, tag.slice(2)]) {
    const { response, header } = await ask(`${cma}/${id}`, 'gzip', { headers: { 'If-None-Match': known } });
    expect([response.status, header('ETag')]).toEqual([304, tag]);
  }
  const put = (condition: Record<string, string>, body: object) =>
    ask(`${cma}/${id}`, 'gzip', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', ...condition },
      body: JSON.stringify(body),
    });
  const changed = await put({ 'If-Match': tag }, { name: 'Changed' });
  expect([changed.response.status, changed.header('ETag')?.startsWith('W/')]).toEqual([200, true]);
  const based = await put({ 'X-Base-Version': changed.header('ETag') ?? '' }, { name: 'Changed again' });
  expect(based.response.status).toBe(200);
});
