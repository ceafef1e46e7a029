/** Cases of sessions: sign-in, sign-out, and the requests that a session cookie allows. */
import { describe, expect, it } from 'vitest';
import { type AdminContext, anonymous, cookieOf } from './admin-caller.ts';

/** Runs the cases. */
export function describeSessions({ call, instance, client, signIn, newName }: AdminContext): void {
  describe('a session', () => {
    it('starts with email and password, in a cookie that scripts and other sites cannot use', async () => {
      const { email, password } = await instance().createUser();
      const before = Date.now();
      const { status, headers, body } = await call('POST', '/session', {
        as: anonymous,
        body: { email: email.toUpperCase(), password },
      });
      expect(status).toBe(200);
      expect(body.user.email).toBe(email);
      expect(body.expiresAt).toBeGreaterThan(before + 11 * 3_600_000);
      expect([headers['set-cookie']].flat()).toEqual([
        expect.stringMatching(/^colophon_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/),
        expect.stringMatching(
          /^colophon_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/,
        ),
      ]);
      const read = await call('GET', '/session', { as: { Cookie: cookieOf(headers) } });
      expect(read.body).toEqual(body);
    });

    it('has a Secure cookie when it starts over HTTPS', async () => {
      const body = await instance().createUser();
      const headers = { 'X-Forwarded-Proto': 'https' };
      const begun = await call('POST', '/session', {
        as: anonymous,
        headers,
        body: { email: body.email, password: body.password },
      });
      expect([begun.headers['set-cookie']].flat()[0]).toMatch(/; Secure$/);
    });

    it('gives the same refusal for a wrong password and for an unknown email', async () => {
      const { email, password } = await instance().createUser();
      const attempt = async (body: object) => {
        const { status, headers, body: problem } = await call('POST', '/session', { as: anonymous, body });
        expect(headers['set-cookie']).toBeUndefined();
        return [status, problem.detail];
      };
      const wrong = await attempt({ email, password: `${password}x` });
      expect(wrong).toEqual([401, 'The email or the password is wrong']);
      expect(await attempt({ email: `x${email}`, password })).toEqual(wrong);
    });

    it('is refused with 429 after five wrong passwords, even with the right one', async () => {
      const { email, password } = await instance().createUser();
      const attempt = (given: object) =>
        call('POST', '/session', { as: anonymous, body: { email, ...given } });
      for (let n = 0; n < 5; n++) expect((await attempt({ password: `wrong ${n}` })).status).toBe(401);
      const { status, headers, body } = await attempt({ password });
      expect([status, body.code]).toEqual([429, 'too_many_attempts']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(20);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
      expect((await signIn()).email).not.toBe(email);
    });

    it('starts besides another session of the user, without a CSRF token', async () => {
      const { email, password } = await instance().createUser();
      const begin = async (as: Record<string, string>) =>
        call('POST', '/session', { as, body: { email, password } });
      const first = { Cookie: cookieOf((await begin(anonymous)).headers) };
      const { status, headers } = await begin(first);
      const second = { Cookie: cookieOf(headers) };
      expect([status, second.Cookie === first.Cookie]).toEqual([200, false]);
      for (const as of [first, second])
        expect((await call('GET', '/session', { as })).body.user.email).toBe(email);
    });

    it('refuses a sign-in body of the wrong shape', async () => {
      const bodies = [
        {},
        { email: 'a@b' },
        { email: 1, password: 2 },
        { email: 'a@b', password: 'c', admin: true },
      ];
      for (const body of bodies) {
        const { status, body: problem } = await call('POST', '/session', { as: anonymous, body });
        expect([status, problem.code]).toEqual([400, 'invalid_body']);
      }
    });

    it('cannot be read or ended without a valid cookie, or by an API client', async () => {
      expect((await call('GET', '/session', { as: anonymous })).status).toBe(401);
      const made = { Cookie: `colophon_session=${'x'.repeat(43)}` };
      expect((await call('GET', '/session', { as: made })).status).toBe(401);
      expect((await call('GET', '/session')).status).toBe(403);
      expect((await call('DELETE', '/session')).status).toBe(403);
    });

    it('allows every read, and writes only with its own CSRF token', async () => {
      const { headers } = await signIn();
      const { headers: others } = await signIn();
      const { Cookie = '', 'X-CSRF-Token': token = '' } = headers;
      expect((await call('GET', '/api-clients', { as: { Cookie } })).status).toBe(200);
      const create = (as: Record<string, string>) =>
        call('POST', '/api-clients', { as, body: { name: newName(), scopes: ['graphql'] } });
      const wrong = ['', 'x', token.slice(1), others['X-CSRF-Token'] ?? ''];
      for (const given of [undefined, ...wrong]) {
        const { status, body } = await create({
          Cookie,
          ...(given === undefined ? {} : { 'X-CSRF-Token': given }),
        });
        expect([status, body.code]).toEqual([403, 'forbidden']);
      }
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect((await call(method, '/api-clients/x', { as: { Cookie } })).status).toBe(403);
      }
      expect((await create(headers)).status).toBe(201);
    });

    it('is ignored when the headers of an API client are sent', async () => {
      const { headers } = await signIn();
      const { 'X-Client-Id': id = '', 'X-Client-Secret': secret = '' } = client();
      const statusOf = async (more: Record<string, string>) =>
        (await call('GET', '/types', { as: { ...headers, ...more } })).status;
      expect(await statusOf({ 'X-Client-Id': id })).toBe(401);
      expect(await statusOf({ 'X-Client-Id': id, 'X-Client-Secret': `${secret}x` })).toBe(401);
      expect(await statusOf({ 'X-Client-Id': id, 'X-Client-Secret': secret })).toBe(200);
    });

    it("is ignored when a client's bearer token is sent, but not when a proxy's is", async () => {
      const { headers } = await signIn();
      const { 'X-Client-Id': id, 'X-Client-Secret': secret } = client();
      const statusOf = async (Authorization: string, session: Record<string, string>) =>
        (await call('GET', '/types', { as: { ...session, Authorization } })).status;
      expect(await statusOf(`Bearer ${id}.${secret}`, {})).toBe(200);
      expect(await statusOf(`Bearer ${id}.${secret}x`, headers)).toBe(401);
      expect(await statusOf('Bearer of.a.proxy', headers)).toBe(200);
      expect(await statusOf('Bearer of.a.proxy', {})).toBe(401);
    });

    it('ends at sign-out, without ending other sessions', async () => {
      const { headers } = await signIn();
      const { headers: others } = await signIn();
      expect((await call('DELETE', '/session', { as: { Cookie: headers.Cookie ?? '' } })).status).toBe(403);
      const { status, headers: received } = await call('DELETE', '/session', { as: headers });
      expect(status).toBe(204);
      expect([received['set-cookie']].flat()[0]).toMatch(/^colophon_session=; .*Max-Age=0$/);
      expect((await call('GET', '/session', { as: headers })).status).toBe(401);
      expect((await call('GET', '/session', { as: others })).status).toBe(200);
    });
  });
}
