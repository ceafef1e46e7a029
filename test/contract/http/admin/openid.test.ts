/** Sign-in by OpenID Connect with a real provider, on two servers of one store, below a public URL with a path. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Config } from '../../../../src/app/config/config.ts';
import { checkOpenid } from '../../../../src/app/doctor/run-checks.ts';
import { systemClock } from '../../../../src/base/runtime.ts';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { keepsHistory } from '../../../support/history.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import {
  cancelAtProvider,
  newKey,
  otherClient,
  repeatFirstResponse,
  signInAtProvider,
  startProvider,
  type TestProvider,
} from '../../../support/openid-provider.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { type AdminContext, anonymous, createAdminContext, type SenderHeaders } from './admin-caller.ts';

const publicUrl = 'https://example.com/cms';
const begunCookie = 'colophon_openid';
const returnTo = '/admin/content?page=2';
const refused = 'This sign-in cannot be finished';

describeOnEachStore('sign-in by OpenID Connect', (locations, { isWhole }) => {
  let location: StoreLocation;
  let provider: TestProvider;
  let instances: TestInstance[];
  let client: ClientHeaders;
  const contract = createContractAssertions(readAdminDocument());
  const contextOf = (n: number, responses = contract) =>
    createAdminContext({
      instance: () => instances[n] as TestInstance,
      client: () => client,
      contract: responses,
    });
  const [first, second] = [contextOf(0), contextOf(1)];
  const start = (settings: Partial<Config> = {}) =>
    startInstance(location, {
      publicUrl,
      basePath: '/cms',
      webhookPrivate: true,
      maxBodyBytes: 100_000,
      openid: provider.settings,
      ...settings,
    });

  beforeAll(async () => {
    location = locations();
    provider = await startProvider(publicUrl);
    instances = [await start(), await start()];
    client = await first.instance().createClient({ scopes: ['admin'] });
    await Promise.all(instances.map(({ refresh }) => refresh()));
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.stop()));
    await provider.stop();
  });

  afterEach(() => {
    for (const path of ['/token', '/jwks', '/me', '/.well-known/openid-configuration'])
      provider.intercept(path);
  });

  /** Begins a sign-in as a browser does; returns the address of the provider and the cookie. */
  async function begin({ call }: AdminContext = first, as: SenderHeaders = anonymous) {
    const sent = { as, body: { returnTo } };
    const { status, body, headers } = await call('POST', '/session/openid-connect', sent);
    expect([status, body.detail]).toEqual([200, undefined]);
    const [set = ''] = [headers['set-cookie']].flat();
    return { location: String(body.location), set, as: { Cookie: set.split(';')[0] ?? '' } };
  }

  const finish = ({ call }: AdminContext, as: SenderHeaders, query: string) =>
    call('POST', '/session/openid-connect/callback', { as, body: { query } });

  /** Signs in on both servers in turn; returns the last response and the headers of the session. */
  async function signIn(login: string, change: (location: URL) => void = () => {}) {
    const begun = await begin(first);
    const address = new URL(begun.location);
    change(address);
    const query = await signInAtProvider(address.href, login);
    const finished = await finish(second, begun.as, query);
    const [cookie = ''] = [finished.headers['set-cookie']].flat();
    const headers = { Cookie: cookie.split(';')[0] ?? '', 'X-CSRF-Token': String(finished.body.csrfToken) };
    return { ...finished, begun, query, as: headers };
  }

  const editor = { email: 'Ada@Example.org', name: 'Ada Example', groups: ['staff', 'cms-editors'] };

  it('lists the ways to sign in', async () => {
    const { status, body } = await first.call('GET', '/sign-in-methods', { as: anonymous });
    const items = [{ method: 'password' }, { method: 'openid-connect', label: 'Example Inc.' }];
    expect([status, body]).toEqual([200, { items }]);
  });

  it('begins on one server and ends on another one, in a session of a new user with the role of the groups', async () => {
    provider.accounts.set('ada', editor);
    const { status, body, headers, begun, as } = await signIn('ada');
    const { origin, searchParams } = new URL(begun.location);
    expect([origin, searchParams.get('redirect_uri'), searchParams.get('code_challenge_method')]).toEqual([
      provider.issuer,
      `${publicUrl}/admin/sign-in/callback`,
      'S256',
    ]);
    expect(begun.set).toMatch(
      /^colophon_openid=[\w-]+; Path=\/cms\/api\/admin\/session\/openid-connect; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    expect([status, body.detail]).toEqual([200, undefined]);
    expect(body).toMatchObject({
      user: {
        email: 'ada@example.org',
        name: 'Ada Example',
        role: 'editor',
        signInMethod: 'openid-connect',
      },
      returnTo,
    });
    expect([headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(
        /^colophon_session=[\w-]{43}; Path=\/cms; HttpOnly; SameSite=Lax; Max-Age=43200$/,
      ),
      expect.stringMatching(/^colophon_openid=/),
    ]);
    const read = await first.call('GET', '/session', { as });
    expect(read.body).toEqual({
      user: body.user,
      csrfToken: body.csrfToken,
      expiresAt: body.expiresAt,
    });
    expect((await first.call('GET', '/users', { as })).status).toBe(403);
    const listed = await first.call('GET', `/users/${body.user.id}`);
    expect(listed.body).toMatchObject({ state: 'active', signInMethod: 'openid-connect' });
  });

  it('takes over name, email and role at each sign-in, and records both in the audit log', async () => {
    provider.accounts.set('bob', { email: 'bob@example.org', groups: 'cms-editors' });
    const before = await signIn('bob');
    provider.accounts.set('bob', {
      email: 'robert@example.org',
      name: 'Bob',
      groups: ['cms-editors', 'cn=admins,ou=cms'],
    });
    const { body, as } = await signIn('bob');
    expect(body.user).toMatchObject({
      id: before.body.user.id,
      email: 'robert@example.org',
      name: 'Bob',
      role: 'admin',
    });
    expect((await first.call('GET', '/users', { as })).status).toBe(200);
    if (!(await keepsHistory(first.instance()))) return;
    await vi.waitFor(async () => {
      const { body: found } = await first.call('GET', `/changes?asset=${body.user.id}`);
      const listed = found.items.map(
        ({ by, description }: { by: { kind: string; name: string }; description: string }) =>
          `${by.kind} ${by.name}: ${description}`,
      );
      expect(listed).toEqual([
        'user robert@example.org: Signed in',
        'system OpenID Connect: Changed the role of user "robert@example.org" to admin',
        'user bob@example.org: Signed in',
        'system OpenID Connect: Created user "bob@example.org"',
      ]);
    }, 60_000);
  });

  it.runIf(isWhole)('is refused without a group that has a role, and takes a role away', async () => {
    provider.accounts.set('eve', { ...editor, email: 'eve@example.org' });
    const { as, body } = await signIn('eve');
    provider.accounts.set('eve', { email: 'eve@example.org', groups: ['staff'] });
    const refused = await signIn('eve');
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'eve@example.org is in no group that has a role in Colophon',
    ]);
    provider.accounts.set('eve', { email: 'eve@example.org' });
    expect((await signIn('eve')).body.detail).toMatch(/^The provider sends no claim groups/);
    provider.accounts.set('eve', { groups: ['cms-editors'] });
    expect((await signIn('eve')).body.detail).toMatch(/^The provider sends no email/);
    // What was begun before goes on until it ends; an administrator can end it at once.
    expect((await first.call('GET', '/session', { as })).status).toBe(200);
    const disable = await first.call('PATCH', `/users/${body.user.id}`, { body: { disabled: true } });
    expect([disable.status, disable.body.state]).toEqual([200, 'disabled']);
    expect((await first.call('GET', '/session', { as })).status).toBe(401);
    provider.accounts.set('eve', { ...editor, email: 'eve@example.org' });
    const disabled = await signIn('eve');
    expect([disabled.status, disabled.body.detail]).toEqual([
      401,
      'This user is disabled; an administrator can enable it again',
    ]);
    await first.call('PATCH', `/users/${body.user.id}`, { body: { disabled: false } });
    expect((await signIn('eve')).status).toBe(200);
  });

  it('never takes over a user with a password, nor one of another person at the provider', async () => {
    const { email } = await first.instance().createUser();
    provider.accounts.set('mallory', { ...editor, email: email.toUpperCase() });
    const taken = await signIn('mallory');
    expect([taken.status, taken.body.detail]).toEqual([
      403,
      `Another user of Colophon has the email ${email}. An administrator can delete that user, and then you can sign in`,
    ]);
    provider.accounts.set('mallory', { ...editor, email: 'first@example.org' });
    expect((await signIn('mallory')).status).toBe(200);
    provider.accounts.set('oscar', { ...editor, email: 'first@example.org' });
    expect((await signIn('oscar')).status).toBe(403);
  });

  it.runIf(isWhole)(
    'leaves role, password and link to the provider, and the last administrator to those with a password',
    async () => {
      provider.accounts.set('rita', { email: 'rita@example.org', groups: ['cn=admins,ou=cms'] });
      const { body, as } = await signIn('rita');
      const { id } = body.user;
      const refusals = [
        await first.call('PATCH', `/users/${id}`, { body: { role: 'editor' } }),
        await first.call('POST', `/users/${id}/invitation`),
        await first.call('POST', '/account/password', {
          as,
          body: { currentPassword: 'correct horse battery', newPassword: 'correct horse battery' },
        }),
      ];
      for (const { status, body: problem } of refusals)
        expect([status, problem.code, problem.detail]).toEqual([
          409,
          'openid_user',
          expect.stringMatching(/^"rita@example.org" signs in by OpenID Connect: /),
        ]);
      const others = (await first.call('GET', '/users')).body.items.filter(
        (user: { role: string; signInMethod: string }) =>
          user.role === 'admin' && user.signInMethod === 'password',
      );
      const statuses: number[] = [];
      for (const other of others)
        statuses.push((await first.call('PATCH', `/users/${other.id}`, { body: { disabled: true } })).status);
      expect(statuses.at(-1)).toBe(409);
      for (const other of others)
        await first.call('PATCH', `/users/${other.id}`, { body: { disabled: false } });
      expect((await first.call('DELETE', `/users/${id}`)).status).toBe(204);
      expect((await first.call('GET', '/session', { as })).status).toBe(401);
    },
  );

  describe.runIf(isWhole)('is refused', () => {
    it('with another state, without the cookie, or again', async () => {
      provider.accounts.set('ada', editor);
      const begun = await begin();
      const query = await signInAtProvider(begun.location, 'ada');
      const state = new URLSearchParams(query).get('state') ?? '';
      const attempts = [
        await finish(second, begun.as, query.replace(state, 'x'.repeat(43))),
        await finish(second, begun.as, `?state=${state}`),
        await finish(second, anonymous, query),
        await finish(second, { Cookie: `${begunCookie}=${'x'.repeat(400)}` }, query),
        await finish(second, (await begin()).as, query),
      ];
      for (const { status, body } of attempts)
        expect([status, body.detail]).toEqual([401, expect.stringContaining(refused)]);
      expect((await finish(first, begun.as, query)).status).toBe(200);
      const again = await finish(first, begun.as, query);
      expect([again.status, again.body.detail]).toEqual([
        401,
        'The provider no longer accepts this sign-in. Sign in again',
      ]);
    });

    it('again on another server, even if the provider accepted its code twice', async () => {
      provider.accounts.set('ada', editor);
      provider.intercept('/token', repeatFirstResponse());
      const { status, begun, query } = await signIn('ada');
      expect(status).toBe(200);
      for (const server of [first, second]) {
        const { status, body } = await finish(server, begun.as, query);
        expect([status, body.detail]).toEqual([401, expect.stringContaining(refused)]);
      }
    });

    it('with a token for another sign-in, or of another client', async () => {
      provider.accounts.set('ada', editor);
      const wrongNonce = await signIn('ada', (address) => address.searchParams.set('nonce', 'another'));
      expect([wrongNonce.status, wrongNonce.body.detail]).toEqual([
        401,
        expect.stringMatching(/^The ID token is not valid for this sign-in: .*nonce/),
      ]);
      const toOther = (address: URL) => address.searchParams.set('client_id', otherClient.client_id);
      expect((await signIn('ada', toOther)).status).toBe(401);
      // Even if the provider gave out the tokens of the other client.
      provider.intercept('/token', (request) => {
        const pair = `${encodeURIComponent(otherClient.client_id)}:${encodeURIComponent(otherClient.client_secret).replaceAll('%20', '+')}`;
        request.headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
      });
      const wrongAudience = await signIn('ada', toOther);
      expect([wrongAudience.status, wrongAudience.body.detail]).toEqual([
        401,
        expect.stringMatching(/^The ID token is not valid for this sign-in: .*aud/),
      ]);
    });

    it('when the person cancels it at the provider', async () => {
      const begun = await begin();
      const { status, body } = await finish(second, begun.as, await cancelAtProvider(begun.location));
      expect([status, body.detail]).toEqual([
        401,
        'The provider did not sign you in: access_denied (End-User aborted interaction)',
      ]);
    });

    it('for pages of other sites', async () => {
      for (const target of [
        '//example.org',
        '/\\example.org',
        'https://example.org',
        '/adminx',
        '/admin\n',
      ]) {
        const sent = { as: anonymous, body: { returnTo: target } };
        const { status, body } = await first.call('POST', '/session/openid-connect', sent);
        expect([target, status, body.code]).toEqual([target, 400, 'invalid_body']);
      }
    });
  });

  it('finishes the sign-ins of several tabs of one browser, and creates a person once who comes twice at a time', async () => {
    provider.accounts.set('tom', { ...editor, email: 'tom@example.org' });
    const returning = await Promise.all(
      [first, second].map(async (at) => {
        const { location: address, as } = await begin(at);
        return { at, as, query: await signInAtProvider(address, 'tom') };
      }),
    );
    const responses = await Promise.all(returning.map(({ at, as, query }) => finish(at, as, query)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(responses.map(({ body }) => body.user.id)).size).toBe(1);

    provider.accounts.set('ada', editor);
    const one = await begin();
    const other = await begin(second, one.as);
    for (const { location: address } of [other, one])
      expect((await finish(first, other.as, await signInAtProvider(address, 'ada'))).status).toBe(200);
  });

  it.runIf(isWhole)('says what the provider fails at, and works again once the provider does', async () => {
    provider.accounts.set('ada', editor);
    const fresh = contextOf(2);
    instances[2] = await start();
    const expectFailed = (
      response: { status: number; body: { code?: string; detail?: string } },
      what: RegExp,
    ) =>
      expect([response.status, response.body.code, response.body.detail]).toEqual([
        502,
        'provider_failed',
        expect.stringMatching(what),
      ]);
    const tryToBegin = () =>
      fresh.call('POST', '/session/openid-connect', { as: anonymous, body: { returnTo } });
    const discovery = '/.well-known/openid-configuration';
    provider.intercept(discovery, (_request, response) => response.destroy());
    expectFailed(await tryToBegin(), /failed: The connection was closed without a response$/);
    const examined = { openid: provider.settings, webhookPrivate: true };
    expect(await checkOpenid(examined, systemClock)).toEqual([
      {
        check: 'OpenID Connect',
        level: 'error',
        message: expect.stringContaining('closed without a response'),
      },
    ]);
    provider.intercept(discovery, (_request, response) => {
      const body = JSON.stringify({ issuer: 'https://example.org' });
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    });
    expectFailed(await tryToBegin(), /issuer/);
    provider.intercept(discovery, (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"a":"${'x'.repeat(70_000)}"}`);
    });
    expectFailed(await tryToBegin(), /more than 64 KiB$/);
    provider.intercept(discovery);
    const message = `the provider ${provider.issuer} answers; its client needs the redirect URI ${publicUrl}/admin/sign-in/callback`;
    expect(await checkOpenid(examined, systemClock)).toEqual([
      { check: 'OpenID Connect', level: 'ok', message },
    ]);

    const begun = await begin(fresh);
    const query = await signInAtProvider(begun.location, 'ada');
    provider.intercept('/token', (_request, response) => response.writeHead(500).end('broken'));
    expectFailed(await finish(fresh, begun.as, query), /unexpected/);
    provider.intercept('/token');
    // A key with the same ID that did not sign the token.
    provider.intercept('/jwks', (_request, response) => {
      const { d: _, ...key } = newKey();
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: [key] }));
    });
    expectFailed(await finish(fresh, begun.as, query), /signature/);
  });

  it.runIf(isWhole)(
    'is refused later than ten minutes, and at a private address that is not allowed',
    async () => {
      const guarded = contextOf(3);
      instances[3] = await start({ webhookPrivate: false });
      const sent = { as: anonymous, body: { returnTo } };
      const blocked = await guarded.call('POST', '/session/openid-connect', sent);
      expect([blocked.status, blocked.body.detail]).toEqual([
        502,
        expect.stringContaining('COLOPHON_WEBHOOK_PRIVATE'),
      ]);
      const begun = await begin();
      const state = new URL(begun.location).searchParams.get('state');
      guarded.instance().advanceClock(10 * 60_000 - 5_000);
      // In time, and then the provider is asked.
      expect((await finish(guarded, begun.as, `?state=${state}&code=x`)).status).toBe(502);
      guarded.instance().advanceClock(5_000);
      const late = await finish(guarded, begun.as, `?state=${state}&code=x`);
      expect([late.status, late.body.detail]).toEqual([401, expect.stringContaining(refused)]);
    },
  );

  it.runIf(isWhole)('is not supported without a provider', async () => {
    // An operation that was answered 501 need not give its other responses.
    const without = contextOf(4, createContractAssertions(readAdminDocument()));
    const { openid: _, ...settings } = { openid: provider.settings, webhookPrivate: true };
    instances[4] = await startInstance(location, settings);
    const { body } = await without.call('GET', '/sign-in-methods', { as: anonymous });
    expect(body).toEqual({ items: [{ method: 'password' }] });
    const begun = { as: anonymous, body: { returnTo } };
    expect((await without.call('POST', '/session/openid-connect', begun)).body.code).toBe('not_supported');
    expect((await finish(without, anonymous, '?state=x&code=y')).status).toBe(501);
  });

  it.runIf(isWhole)('blocks an address after 25 refused attempts, but not its passwords', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 26; n++) statuses.push((await finish(first, anonymous, '?state=x&code=y')).status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(25);
    expect(statuses.at(-1)).toBe(429);
    expect((await first.signIn()).headers.Cookie).toMatch(/^colophon_session=/);
  });

  it.runIf(isWhole)('refuses other requests, and has given every documented response', async () => {
    expect((await first.call('GET', '/sign-in-methods?x=1', { as: anonymous })).status).toBe(400);
    for (const path of ['/session/openid-connect', '/session/openid-connect/callback']) {
      const post = (raw: string, type: string) =>
        first.call('POST', path, { as: anonymous, headers: { 'Content-Type': type }, raw });
      const statuses = [
        (await post('{}', 'application/json')).status,
        (await post('{}', 'text/plain')).status,
        (await post('x'.repeat(100_001), 'application/json')).status,
      ];
      expect([path, ...statuses]).toEqual([path, 400, 415, 413]);
    }
    const own = /^(listSignInMethods|beginOpenidSignIn|finishOpenidSignIn) |^changeOwnPassword 409$/;
    const unseen = contract.unseen().filter((response) => own.test(response));
    expect(unseen.filter((response) => !/ (408|500|503|507)$|^(list|begin)\w+ 429$/.test(response))).toEqual(
      [],
    );
  });
});
