/** Cases of access to GraphQL endpoints: credentials, scopes, and the order of the checks. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Access } from '../../../../src/access/endpoint-access.ts';
import type { ClientHeaders } from '../../../support/instance.ts';
import { type GraphqlContext, noAsset, type Sent } from './graphql-context.ts';

const query = '{ a: __typename }';

/** Runs the cases. */
export function describeAccess(context: GraphqlContext): void {
  const { instance, send, createClient, createKey, createEndpoint } = context;

  /** Runs a query and returns 'authorized', or the status and the code of the refusal. */
  async function outcomeOf(path: string, sent: Sent = {}): Promise<string> {
    const { status, body } = await send('POST', path, { body: { query }, ...sent });
    return status === 200 && body.data ? 'authorized' : `${status} ${body.errors[0].extensions.code}`;
  }

  describe('credentials', () => {
    let client: ClientHeaders;
    let key: string;
    let placeholders: ReadonlyMap<string, string>;

    beforeAll(async () => {
      client = await createClient();
      key = (await createKey(client)).secret;
      placeholders = new Map([
        ['ID', client['X-Client-Id']],
        ['SECRET', client['X-Client-Secret']],
        ['KEY', key],
        ['TOKEN', `Bearer ${client['X-Client-Id']}.${client['X-Client-Secret']}`],
      ]);
      await createEndpoint({ name: 'by-key', access: 'API_KEY' });
      await createEndpoint({ name: 'by-secret', access: 'CLIENT_CREDENTIALS' });
    });

    /** Replaces `ID`, `SECRET` and `KEY` in a case by the values of the created client. */
    const fill = (given: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, placeholders.get(value) ?? value]),
      );

    const outcomes = { ok: 'authorized', no: '401 unauthorized', twice: '400 invalid_parameter' } as const;
    type Outcome = keyof typeof outcomes;
    type Given = Readonly<Record<string, string>>;
    const cases: [name: string, byKey: Outcome, bySecret: Outcome, headers: Given, parameters?: Given][] = [
      ['none', 'no', 'no', {}],
      ['a key as header', 'ok', 'no', { 'X-API-Key': 'KEY' }],
      ['a key as parameter', 'ok', 'no', {}, { apiKey: 'KEY' }],
      ['a key in both places', 'ok', 'no', { 'X-API-Key': 'KEY' }, { apiKey: 'KEY' }],
      ['a wrong key', 'no', 'no', { 'X-API-Key': 'KEYx' }],
      ['an empty key', 'no', 'no', { 'X-API-Key': '' }],
      ['a secret for a key', 'no', 'no', { 'X-API-Key': 'SECRET' }],
      ['ID and secret as headers', 'ok', 'ok', { 'X-Client-Id': 'ID', 'X-Client-Secret': 'SECRET' }],
      ['ID and secret as parameters', 'ok', 'ok', {}, { clientId: 'ID', clientSecret: 'SECRET' }],
      [
        'the ID as header, the secret as parameter',
        'ok',
        'ok',
        { 'X-Client-Id': 'ID' },
        { clientSecret: 'SECRET' },
      ],
      ['a token of no client', 'no', 'no', { Authorization: 'Bearer of.a.proxy' }],
      ['a key beside the token of a proxy', 'ok', 'no', { 'X-API-Key': 'KEY', Authorization: 'Bearer a.b' }],
      ['a token', 'ok', 'ok', { Authorization: 'TOKEN' }],
      ['the ID alone', 'no', 'no', { 'X-Client-Id': 'ID' }],
      ['the secret alone', 'no', 'no', { 'X-Client-Secret': 'SECRET' }],
      ['a key for a secret', 'no', 'no', { 'X-Client-Id': 'ID', 'X-Client-Secret': 'KEY' }],
      ['an unknown ID', 'no', 'no', { 'X-Client-Id': 'nobody', 'X-Client-Secret': 'SECRET' }],
      [
        'a wrong key beside ID and secret',
        'no',
        'ok',
        { 'X-API-Key': 'KEYx', 'X-Client-Id': 'ID', 'X-Client-Secret': 'SECRET' },
      ],
      [
        'a key beside a wrong secret',
        'ok',
        'no',
        { 'X-API-Key': 'KEY', 'X-Client-Id': 'ID', 'X-Client-Secret': 'wrong' },
      ],
      ['two keys that differ', 'twice', 'twice', { 'X-API-Key': 'KEY' }, { apiKey: 'other' }],
      [
        'a header named like a property of every JavaScript object',
        'no',
        'no',
        { 'X-Client-Id': '__proto__', 'X-Client-Secret': 'x' },
      ],
    ];

    it.each(cases)('%s: by key %s, by secret %s', async (_name, byKey, bySecret, headers, parameters) => {
      const sent = { headers: fill(headers), parameters: fill(parameters) };
      expect(await outcomeOf('by-key', sent)).toBe(outcomes[byKey]);
      expect(await outcomeOf('by-secret', sent)).toBe(outcomes[bySecret]);
    });

    it('are ignored by an endpoint with access for anyone', async () => {
      for (const headers of [{}, { 'X-API-Key': 'wrong' }, { 'X-Client-Id': 'nobody' }]) {
        expect(await outcomeOf('open', { headers })).toBe('authorized');
      }
    });

    it('may be sent in the query string of a GET, together with the parameters of the request', async () => {
      const { status, body } = await send('GET', 'by-key', { parameters: { query, apiKey: key } });
      expect([status, body]).toEqual([200, { data: { a: 'Query' } }]);
    });

    it('that are refused are requested with WWW-Authenticate and not repeated in the response', async () => {
      const { headers, body } = await send('POST', 'by-key', { headers: { 'X-API-Key': 'my wrong key' } });
      expect(headers['www-authenticate']).toContain('realm="colophon"');
      expect(JSON.stringify(body)).not.toContain('my wrong key');
    });

    it('are required by the current access rule of the endpoint', async () => {
      const { graphqlEndpoints } = instance().services;
      const { id } = await createEndpoint({ name: 'changing' });
      expect(await outcomeOf('changing')).toBe('authorized');
      const change = (access: Access) =>
        graphqlEndpoints.replace({ id, body: { name: 'changing', readTypes: ['*'], access } });
      await change('API_KEY');
      await instance().refresh();
      expect(await outcomeOf('changing')).toBe(outcomes.no);
      expect(await outcomeOf('changing', { headers: { 'X-API-Key': key } })).toBe('authorized');
      await change('CLIENT_CREDENTIALS');
      await instance().refresh();
      expect(await outcomeOf('changing', { headers: { 'X-API-Key': key } })).toBe(outcomes.no);
      await graphqlEndpoints.delete({ id });
      await instance().refresh();
      expect(await outcomeOf('changing', { headers: client })).toBe('404 route_not_found');
    });
  });

  describe('credentials stop working', () => {
    const unauthorized = '401 unauthorized';
    const byKey = (key: string) => outcomeOf('delivery', { headers: { 'X-API-Key': key } });
    const bySecret = (headers: ClientHeaders) => outcomeOf('management', { headers });

    it('for a deleted key only', async () => {
      const client = await createClient();
      const [first, second] = [await createKey(client), await createKey(client)];
      expect([await byKey(first.secret), await byKey(second.secret)]).toEqual(['authorized', 'authorized']);
      const { clients } = instance().services;
      await clients.removeKey({ clientId: client['X-Client-Id'], keyId: first.id });
      await instance().refresh();
      expect([await byKey(first.secret), await byKey(second.secret)]).toEqual([unauthorized, 'authorized']);
      expect(await bySecret(client)).toBe('authorized');
    });

    it('for a replaced secret, but not for the keys', async () => {
      const old = await createClient();
      const { secret } = await createKey(old);
      const rotated = await instance().rotate(old);
      await instance().refresh();
      expect([await bySecret(old), await bySecret(rotated)]).toEqual([unauthorized, 'authorized']);
      expect(await byKey(secret)).toBe('authorized');
    });

    it('for a revoked client and its keys', async () => {
      const client = await createClient();
      const { secret } = await createKey(client);
      await instance().revoke(client);
      await instance().refresh();
      expect([await bySecret(client), await byKey(secret)]).toEqual([unauthorized, unauthorized]);
    });
  });

  describe('a client', () => {
    const forbidden = '403 forbidden';

    it('without the scope graphql cannot use an endpoint that requires credentials', async () => {
      const client = await createClient({ scopes: ['cma:read', 'cma:write', 'admin'] });
      const { secret } = await createKey(client);
      expect(await outcomeOf('management', { headers: client })).toBe(forbidden);
      expect(await outcomeOf('delivery', { headers: client })).toBe(forbidden);
      expect(await outcomeOf('delivery', { headers: { 'X-API-Key': secret } })).toBe(forbidden);
      expect(await outcomeOf('open', { headers: client })).toBe('authorized');
    });

    it('restricted to certain endpoints cannot use others', async () => {
      const { id } = await createEndpoint({ name: 'restricted', access: 'API_KEY' });
      const client = await createClient({ endpoints: [id] });
      const { secret } = await createKey(client);
      expect(await outcomeOf('restricted', { headers: client })).toBe('authorized');
      expect(await outcomeOf('restricted', { headers: { 'X-API-Key': secret } })).toBe('authorized');
      expect(await outcomeOf('delivery', { headers: client })).toBe(forbidden);
      expect(await outcomeOf('delivery', { headers: { 'X-API-Key': secret } })).toBe(forbidden);
    });
  });

  describe('before any other check, the server checks', () => {
    const type = { 'Content-Type': 'application/json' };
    const flawed: [name: string, method: string, path: string, sent: Sent][] = [
      ['an invalid body', 'POST', '', { raw: '{', headers: type }],
      ['a body that is too large', 'POST', '', { body: { query: ' '.repeat(4_194_304) } }],
      ['another media type', 'POST', '', { raw: 'x', headers: { 'Content-Type': 'text/plain' } }],
      ['a document that is not valid', 'POST', '', { body: { query: '{ nothing }' } }],
      ['a document above the limits', 'POST', '', { body: { query: '{a'.repeat(1000) } }],
      [
        'a mutation by GET',
        'GET',
        '',
        { parameters: { query: `mutation { deleteText(_id: "${noAsset}") }` } },
      ],
      ['a bad query string', 'GET', '?query=%E0', {}],
      ['a method that is not allowed', 'DELETE', '', {}],
      [
        'an unsupported media type in Accept',
        'POST',
        '',
        { body: { query }, headers: { Accept: 'text/html' } },
      ],
    ];

    it.each(flawed)('credentials, with %s', async (_name, method, suffix, sent) => {
      const path = `management${suffix}`;
      const missing = await send(method, path, sent);
      expect([missing.status, missing.body.errors[0].extensions.code]).toEqual([401, 'unauthorized']);
      const client = await createClient({ scopes: ['cma:read'] });
      const lacking = await send(method, path, { ...sent, headers: { ...sent.headers, ...client } });
      expect([lacking.status, lacking.body.errors[0].extensions.code]).toEqual([403, 'forbidden']);
    });

    it.each(['', 'nowhere', 'open/', 'Open', 'open/more', 'open%2F', '%E0', '__proto__', 'constructor'])(
      'the endpoint, which does not exist at /graphql/%s',
      async (path) => {
        const { status, body } = await send('POST', path, {
          body: { query },
          parameters: { apiKey: 'hidden' },
        });
        expect([status, body.errors[0].extensions]).toEqual([
          404,
          { code: 'route_not_found', http: { status: 404 } },
        ]);
        expect(JSON.stringify(body)).not.toContain('hidden');
      },
    );
  });
}
