/** Rate limits over HTTP: who pays for what, and what a sender without units receives from each API. */
import { beforeAll, describe, expect, it } from 'vitest';
import { nameSender } from '../../../../src/base/request-origin.ts';
import {
  bundleDocument,
  type OpenApiDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { createRouteAssertion } from '../../../support/route-assertions.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { shippedCatalog } from '../../../support/types.ts';
import { documentOf } from '../routes/routes-context.ts';

const text = 'com.colophon.cms.db.Text';
const documents: readonly [string, OpenApiDocument][] = [
  ['the CMA', bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() })],
  ['the admin API', readAdminDocument()],
];

describeOnEachStore('rate limits', (locations) => {
  let instance: TestInstance;
  let spent: ClientHeaders;
  let endpointId = '';

  const senderOf = (headers: ClientHeaders) =>
    nameSender({ by: { kind: 'client', id: headers['X-Client-Id'] } });
  const spend = (sender: string) => instance.services.rateLimits?.charge(sender, 1_000_000);

  beforeAll(async () => {
    instance = await startInstance(locations(), { rateLimit: { unitsPerSecond: 100, burst: 1000 } });
    const { graphqlEndpoints, restEndpoints } = instance.services;
    const { id: source } = await graphqlEndpoints.create({
      name: 'Open',
      readTypes: [text],
      access: 'ANYONE',
    });
    const mappings = [{ name: 'Texts', query: 'query Texts { textList { items { name } } }' }];
    const { id } = await restEndpoints.create({ body: { name: 'Open', source, mappings }, by: 'a test' });
    await restEndpoints.publish({ id, by: 'a test' });
    endpointId = id;
    spent = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'history', 'admin'] });
    await instance.refresh();
    spend(senderOf(spent));
  });

  const find = (headers: Readonly<Record<string, string>>) =>
    fetch(`${instance.cmaUrl}?from=${text}`, { headers });

  it('a response names the limit and what is left of it, less after each request', async () => {
    const remaining = async () => {
      const { headers } = await find(instance.headers);
      expect(headers.get('RateLimit-Policy')).toBe('"work";q=1000;qu="milliseconds";w=10');
      const [, r, t] = /^"work";r=(\d+);t=(\d+)$/.exec(headers.get('RateLimit') ?? '') ?? [];
      return { r: Number(r), t: Number(t) };
    };
    const first = await remaining();
    expect(first.r).toBeGreaterThan(900);
    instance.services.rateLimits?.charge(senderOf(instance.headers), 500);
    const second = await remaining();
    expect(second.r).toBeLessThan(first.r - 400);
    expect(second.t).toBeGreaterThanOrEqual(4);
  });

  it('a request is charged its work on the event loop and its searches', async () => {
    const client = await instance.createClient({});
    await instance.refresh();
    const charged = instance.services.rateLimits;
    const before = charged?.stateOf(senderOf(client)).remaining ?? 0;
    const body = JSON.stringify({
      operations: Array.from({ length: 500 }, (_, n) => ({
        action: 'create',
        asset: { _type: text, name: `Text ${n}` },
      })),
    });
    const response = await fetch(`${instance.cmaUrl}/batch`, {
      method: 'POST',
      headers: { ...client, 'Content-Type': 'application/json' },
      body,
    });
    expect(response.status).toBe(200);
    await response.text();
    await expect.poll(() => charged?.stateOf(senderOf(client)).remaining).toBeLessThan(before);
  });

  it('the work of one sender leaves the units of others alone', async () => {
    expect((await find(spent)).status).toBe(429);
    expect((await find(instance.headers)).status).toBe(200);
  });

  it('an anonymous network has its units, at GraphQL endpoints and routes', async () => {
    const document = await documentOf(instance, endpointId);
    expect(Object(document.paths)['/open/texts'].get.responses).toHaveProperty('429');
    const assertDocumented = createRouteAssertion(document);
    const query = `${instance.url}/graphql/open?query=%7B__typename%7D`;
    const route = `${instance.url}/open/texts`;
    for (const url of [query, route])
      expect((await fetch(url)).headers.get('RateLimit')).toMatch(/^"work";r=\d+;t=\d+$/);
    spend('anonymous 127.0.0.1');
    for (const url of [query, route]) {
      const response = await fetch(url);
      expect([response.status, Number(response.headers.get('Retry-After')) > 9000]).toEqual([429, true]);
      expect(response.headers.get('RateLimit')).toMatch(/^"work";r=0;t=\d+$/);
      const body = Object(await response.json());
      expect(body.errors[0].extensions).toMatchObject({ code: 'rate_limited', http: { status: 429 } });
      if (url !== route) continue;
      const headers = Object.fromEntries(response.headers);
      assertDocumented('GET', '/open/texts', { status: 429, headers, body });
    }
    const { email, password } = await instance.createUser();
    const signIn = await fetch(`${instance.url}/api/admin/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect([signIn.status, Object(await signIn.json()).code]).toEqual([429, 'rate_limited']);
    for (const path of ['/admin', '/healthz'])
      expect((await fetch(instance.url + path)).status).not.toBe(429);
  });

  describe.each(documents)('every operation of %s', (_name, document) => {
    const contract = createContractAssertions(document);
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      ['get', 'post', 'put', 'patch', 'delete']
        .filter((method) => Object(item)[method]?.responses?.['429'] !== undefined)
        .map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'any') })),
    );

    it('documents the response to a sender without units, and gives it', async () => {
      expect(operations.length).toBeGreaterThan(8);
      for (const { method, path } of operations) {
        const isSignIn = method === 'POST' && path.endsWith('/session');
        const response = await fetch(instance.url + path, { method, headers: isSignIn ? {} : { ...spent } });
        const headers = Object.fromEntries(response.headers);
        const body = await response.json();
        contract.assertDocumented(method, path, { status: response.status, headers, body });
        expect([method, path, response.status]).toEqual([method, path, 429]);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
      expect(contract.unseen().filter((response) => response.endsWith(' 429'))).toEqual([]);
    });
  });
});
