/** CORS of the three kinds of APIs, as a browser sees it: preflight requests, responses and errors, and where no origins are set. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';

const text = 'com.colophon.cms.db.Text';
const [page, stranger] = ['https://www.example.com', 'https://evil.example'];
const cors = { origins: [page, 'http://localhost:5173'], maxAge: 60 };
const exposed =
  'Accept-Patch, ETag, Idempotency-Replayed, Location, Retry-After, X-Change, X-Release, X-Request-Id, X-Unfit, RateLimit, RateLimit-Policy';

const location = sqliteLocation();
let instance: TestInstance;
beforeAll(async () => {
  instance = await startInstance(location, { cmaCors: cors });
  const { graphqlEndpoints, restEndpoints } = instance.services;
  const fields = { readTypes: [text], access: 'CLIENT_CREDENTIALS' };
  const { id: source } = await graphqlEndpoints.create({ name: 'Open', cors, ...fields });
  await graphqlEndpoints.create({ name: 'Closed', ...fields });
  for (const body of [{ name: 'Open', cors: { origins: ['*'] } }, { name: 'Closed' }]) {
    const mappings = [
      { name: 'Texts', query: 'query Texts { textList { items { name } } }', cacheSeconds: 60 },
    ];
    const { id } = await restEndpoints.create({
      body: { ...body, source, access: 'ANYONE', mappings },
      by: 'a test',
    });
    await restEndpoints.publish({ id, by: 'a test' });
  }
  await instance.refresh();
});

const send = (path: string, { method = 'GET', ...headers }: Record<string, string> = {}) =>
  fetch(instance.url + path, { method, headers });
const preflight = (path: string, origin = page) =>
  send(path, { method: 'OPTIONS', Origin: origin, 'Access-Control-Request-Method': 'POST' });
const varyOf = (response: Response) => (response.headers.get('Vary') ?? '').split(', ');
const corsOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')));

/** Each path with the origin that it names, and its methods. */
const open = [
  ['/api/rest/cma/contents', page, 'GET, HEAD, POST, PUT, PATCH, DELETE', '60'],
  ['/api/rest/cma/contents/some/nonsense', page, 'GET, HEAD, POST, PUT, PATCH, DELETE', '60'],
  ['/graphql/open', page, 'GET, HEAD, POST', '60'],
  ['/open/texts', '*', 'GET, HEAD', '600'],
] as const;

describe.each(open)('%s, which pages may call', (path, allowed, methods, maxAge) => {
  it('answers a preflight request without credentials', async () => {
    const response = await preflight(path);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': expect.stringMatching(
        /Idempotency-Key, If-Match.*traceparent, tracestate/,
      ),
      'access-control-max-age': maxAge,
    });
    expect(varyOf(response)).toContain('Origin');
  });

  it('has the headers in every response, errors too', async () => {
    for (const headers of [{}, instance.headers]) {
      const response = await send(path, { Origin: page, ...headers });
      expect(corsOf(response)).toEqual({
        'access-control-allow-origin': allowed,
        'access-control-expose-headers': exposed,
      });
      expect(varyOf(response)).toContain('Origin');
    }
  });

  it('varies by origin without one, so that a cache keeps no response without the headers for pages', async () => {
    const response = await send(path);
    expect([corsOf(response), varyOf(response).includes('Origin')]).toEqual([{}, true]);
  });
});

describe('a page of an origin that is not allowed', () => {
  it.each(['/api/rest/cma/contents', '/graphql/open'])('gets no permission for %s', async (path) => {
    const asked = await preflight(path, stranger);
    expect([asked.status, corsOf(asked)]).toEqual([204, {}]);
    const response = await send(path, { Origin: stranger, ...instance.headers });
    expect([corsOf(response), varyOf(response).includes('Origin')]).toEqual([{}, true]);
  });
});

describe('an API without origins', () => {
  it.each([
    ['/graphql/closed', 401],
    ['/closed/texts', 405],
    ['/api/admin/session', 401],
    ['/healthz', 404],
  ])('%s has no trace of CORS', async (path, status) => {
    const asked = await preflight(path);
    expect([asked.status, corsOf(asked), varyOf(asked).includes('Origin')]).toEqual([status, {}, false]);
    const response = await send(path, { Origin: page });
    expect([corsOf(response), varyOf(response).includes('Origin')]).toEqual([{}, false]);
  });
});

it('a route keeps its ETag, its compression and what its credentials vary', async () => {
  const first = await send('/open/texts', { Origin: page });
  expect(first.status).toBe(200);
  const again = await send('/open/texts', { Origin: page, 'If-None-Match': first.headers.get('ETag') ?? '' });
  expect([again.status, corsOf(again)['access-control-allow-origin']]).toEqual([304, '*']);
  const graphql = await send('/graphql/open?query=%7B__typename%7D', { Origin: page, ...instance.headers });
  expect(varyOf(graphql).sort()).toEqual(
    ['Accept', 'Authorization', 'Origin', 'X-API-Key', 'X-Client-Id', 'X-Client-Secret'].sort(),
  );
});

it('an unknown route below the prefix of a REST endpoint can be read as an error', async () => {
  expect((await preflight('/open/nothing')).status).toBe(204);
  const response = await send('/open/nothing', { Origin: page });
  expect([response.status, corsOf(response)['access-control-allow-origin']]).toEqual([404, '*']);
});

describe('the origins of an endpoint', () => {
  it.each([
    [['www.example.com'], 'cors.origins[0]', /must be \* or an origin/],
    [['https://www.example.com/'], 'cors.origins[0]', /https:\/\/www\.example\.com$/],
    [['https://WWW.example.com:443'], 'cors.origins[0]', /https:\/\/www\.example\.com$/],
    [['null'], 'cors.origins[0]', /must be \* or an origin/],
    [['*', page], 'cors.origins', /no other origins/],
    [[page, page], 'cors.origins[1]', /twice/],
  ])('%j are refused', async (origins, path, message) => {
    const { graphqlEndpoints, restEndpoints } = instance.services;
    const problem = { details: { problems: [{ path, message: expect.stringMatching(message) }] } };
    const body = { name: 'Refused', cors: { origins } };
    await expect(
      graphqlEndpoints.create({ ...body, readTypes: [text], access: 'ANYONE' }),
    ).rejects.toMatchObject(problem);
    await expect(
      restEndpoints.create({ body: { ...body, source: 'Open', mappings: [] }, by: 'a test' }),
    ).rejects.toMatchObject(problem);
  });

  it('are removed by a replacement without them, at once', async () => {
    const { graphqlEndpoints } = instance.services;
    const fields = { name: 'Changed', readTypes: [text], access: 'ANYONE' };
    const { id } = await graphqlEndpoints.create({ ...fields, cors });
    expect((await graphqlEndpoints.get(id)).cors).toEqual(cors);
    await graphqlEndpoints.replace({ id, body: fields });
    await instance.refresh();
    expect((await graphqlEndpoints.get(id)).cors).toBeUndefined();
    expect((await preflight('/graphql/changed')).status).toBe(405);
  });
});
