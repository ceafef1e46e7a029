/** Cases of users: roles for every operation, invitations, and what a user does with the own account. */
import { describe, expect, it, vi } from 'vitest';
import { type Role, roles } from '../../../../src/access/users/roles.ts';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { readRequiredRoles } from '../../../../src/http/credentials/authenticate-admin.ts';
import { type AdminContext, anonymous, cookieOf, noId, type SenderHeaders } from './admin-caller.ts';

const password = 'correct horse battery';

/** Runs the cases. */
export function describeUsers({ call, newName }: AdminContext): void {
  const newEmail = () => `${newName().replace(' ', '-').toLowerCase()}@users.example`;

  async function invite(role: Role, email = newEmail()) {
    const { status, body, headers } = await call('POST', '/users', { body: { email, role } });
    expect(status).toBe(201);
    expect(headers.location).toBe(`/api/admin/users/${body.id}`);
    return { id: body.id as string, email, token: body.token as string, path: body.path as string };
  }

  const accept = (token: string) =>
    call('POST', '/invitation/accept', { as: anonymous, body: { token, name: 'Ed', password } });

  async function signIn(email: string, given = password): Promise<SenderHeaders> {
    const sent = { as: anonymous, headers: { 'User-Agent': 'A browser' }, body: { email, password: given } };
    const { status, headers, body } = await call('POST', '/session', sent);
    expect([status, body.detail]).toEqual([200, undefined]);
    return { Cookie: cookieOf(headers), 'X-CSRF-Token': body.csrfToken };
  }

  async function member(role: Role) {
    const invited = await invite(role);
    expect((await accept(invited.token)).status).toBe(200);
    return { ...invited, headers: await signIn(invited.email) };
  }

  /** Expects changes of a user among those listed; with MongoDB, a change is listed a moment after its write. */
  const expectChanges = (id: string, wanted: readonly (readonly [kind: string, description: string])[]) =>
    vi.waitFor(async () => {
      const { body } = await call('GET', `/changes?asset=${id}`);
      const listed = body.items.map(({ by, description }: { by: { kind: string }; description: string }) => [
        by.kind,
        description,
      ]);
      expect(listed).toEqual(expect.arrayContaining([...wanted]));
    }, 60_000);

  describe('a role', () => {
    const operations = Object.entries(readAdminDocument().paths).flatMap(([path, item]) =>
      Object.entries(Object(item)).map(([method, operation]) => ({
        id: String(Object(operation).operationId),
        method,
        path: path.replace('/api/admin', '').replaceAll(/\{\w+\}/g, noId),
      })),
    );
    const required = readRequiredRoles(readAdminDocument());

    it.each(roles)('%s may call the operations that the document says, and no others', async (role) => {
      const { headers } = await member(role);
      for (const { id, method, path } of operations) {
        const needed = required.get(id);
        if (needed === undefined) continue;
        // Refused for its query or its missing body, if it is not refused for the role, so that it has no effect.
        for (const [query, least] of [
          ['nonsense=1', needed.role],
          ['nonsense=1&release=drafts', needed.inRelease],
        ] as const) {
          const { status, body } = await call(method, `${path}?${query}`, { as: headers });
          if (roles.indexOf(role) >= roles.indexOf(least)) expect([400, 415], id).toContain(status);
          else {
            expect([id, status, body.code]).toEqual([id, 403, 'forbidden']);
            expect(body.detail).toMatch(
              new RegExp(`^This needs the role ${least}, and .* has the role ${role}$`),
            );
          }
        }
      }
    });

    it('developer manages API clients, except those with the scope admin', async () => {
      const { headers: as } = await member('developer');
      const create = (scopes: string[], sender?: SenderHeaders) =>
        call('POST', '/api-clients', { body: { name: newName(), scopes }, ...(sender && { as: sender }) });
      expect((await create(['admin', 'graphql'], as)).body).toMatchObject({ status: 403, code: 'forbidden' });
      const own = (await create(['graphql'], as)).body.client.clientId;
      const powerful = (await create(['admin'])).body.client.clientId;
      const change = async (clientId: string) => {
        const path = `/api-clients/${clientId}`;
        const key = await call('POST', `${path}/keys`, { as, body: { name: 'A key' } });
        const changes = [
          await call('PATCH', path, { as, body: { name: newName() } }),
          await call('POST', `${path}/secret`, { as }),
          await call('DELETE', `${path}/keys/${key.body.key?.id ?? noId}`, { as }),
          await call('DELETE', path, { as }),
        ];
        return [key, ...changes].map(({ status }) => status);
      };
      expect(await change(powerful)).toEqual([403, 403, 403, 403, 403]);
      const raise = await call('PATCH', `/api-clients/${own}`, { as, body: { scopes: ['admin'] } });
      expect(raise.status).toBe(403);
      expect(await change(own)).toEqual([201, 200, 200, 204, 204]);
    });

    it('changes at the next request of an open session', async () => {
      const { id, headers: as } = await member('editor');
      expect((await call('GET', '/webhooks', { as })).status).toBe(403);
      expect((await call('PATCH', `/users/${id}`, { body: { role: 'developer' } })).body.role).toBe(
        'developer',
      );
      expect((await call('GET', '/webhooks', { as })).status).not.toBe(403);
      expect((await call('GET', '/session', { as })).body.user.role).toBe('developer');
    });
  });

  describe('an invitation', () => {
    it('shows a link once, which is accepted once and makes a user who can sign in', async () => {
      const email = newEmail();
      const { id, token, path } = await invite('developer', email.toUpperCase());
      expect(path).toBe(`/admin/invitation#${token}`);
      const read = await call('GET', `/users/${id}`);
      expect(read.body).toMatchObject({ id, email, role: 'developer', state: 'invited' });
      expect(JSON.stringify(read.body)).not.toContain(token.split('.')[1]);
      const user = { id, email, name: 'Ed', role: 'developer', signInMethod: 'password' };
      const check = () => call('POST', '/invitation/check', { as: anonymous, body: { token } });
      expect((await check()).body).toMatchObject({ email, role: 'developer' });
      const short = { token, name: 'Ed', password: 'short' };
      expect((await call('POST', '/invitation/accept', { as: anonymous, body: short })).status).toBe(400);
      expect((await accept(token)).body).toEqual(user);
      for (const { status, body } of [await check(), await accept(token)])
        expect([status, body.code]).toEqual([410, 'invitation_ended']);
      const { body } = await call('GET', '/session', { as: await signIn(email) });
      expect(body.user).toEqual(user);
      const listed = (await call('GET', '/users')).body.items.find((item: { id: string }) => item.id === id);
      expect(listed).toEqual({ ...user, state: 'active' });
    });

    it('is refused for an email in use, and in the audit log is the act of who sent and who accepted it', async () => {
      const { id, email, token } = await invite('editor');
      const again = await call('POST', '/users', { body: { email, role: 'editor' } });
      expect([again.status, again.body.code]).toEqual([409, 'value_in_use']);
      await accept(token);
      await expectChanges(id, [
        ['user', `Accepted the invitation of user "${email}"`],
        ['client', `Created user "${email}"`],
      ]);
    });
  });

  describe('a user', () => {
    it('who is disabled has no session and no link, until the user is enabled', async () => {
      const { id, email, headers: as } = await member('editor');
      const renewed = await call('POST', `/users/${id}/invitation`);
      expect(renewed.status).toBe(200);
      const disabled = await call('PATCH', `/users/${id}`, { body: { disabled: true } });
      expect(disabled.body).toMatchObject({ state: 'disabled', disabledAt: expect.any(Number) });
      expect((await call('GET', '/session', { as })).status).toBe(401);
      const refused = await call('POST', '/session', { as: anonymous, body: { email, password } });
      expect([refused.status, refused.body.detail]).toEqual([401, expect.stringContaining('is disabled')]);
      expect((await accept(renewed.body.token)).status).toBe(410);
      const link = await call('POST', `/users/${id}/invitation`);
      expect([link.status, link.body.code]).toEqual([409, 'user_disabled']);
      await call('PATCH', `/users/${id}`, { body: { disabled: false } });
      expect((await call('GET', '/session', { as: await signIn(email) })).status).toBe(200);
      await expectChanges(id, [
        ['client', `Enabled user "${email}"`],
        ['client', `Disabled user "${email}"`],
      ]);
    });

    it('sees and ends the own sessions only', async () => {
      const { email, headers: as } = await member('editor');
      const other = await signIn(email);
      const { body } = await call('GET', '/account/sessions', { as });
      expect(
        body.items.map(({ current, userAgent }: Record<string, unknown>) => [current, userAgent]),
      ).toEqual([
        [false, 'A browser'],
        [true, 'A browser'],
      ]);
      const stranger = await member('admin');
      const place = `/account/sessions/${body.items[0].id}`;
      expect((await call('DELETE', place, { as: stranger.headers })).status).toBe(404);
      expect((await call('DELETE', place, { as })).status).toBe(204);
      expect((await call('GET', '/session', { as: other })).status).toBe(401);
      const third = await signIn(email);
      expect((await call('DELETE', '/account/sessions', { as })).status).toBe(204);
      expect((await call('GET', '/session', { as: third })).status).toBe(401);
      expect((await call('GET', '/session', { as })).status).toBe(200);
      expect((await call('GET', '/account/sessions')).status).toBe(403);
    });

    it('changes the own password with the present one, which ends the other sessions', async () => {
      const { email, headers: as } = await member('editor');
      const other = await signIn(email);
      const change = (currentPassword: string, newPassword: string) =>
        call('POST', '/account/password', { as, body: { currentPassword, newPassword } });
      const wrong = await change('not the password', 'another password');
      expect([wrong.status, wrong.body.problems]).toEqual([
        400,
        [{ path: 'currentPassword', message: 'is not your present password' }],
      ]);
      expect((await change(password, 'short')).body.problems[0].path).toBe('newPassword');
      expect((await change(password, 'another password')).status).toBe(204);
      expect((await call('GET', '/session', { as: other })).status).toBe(401);
      expect((await call('GET', '/session', { as })).status).toBe(200);
      await signIn(email, 'another password');
    });

    it('is deleted with the sessions, and the last administrator is neither deleted, disabled nor demoted', async () => {
      const { id, headers: as } = await member('editor');
      expect((await call('DELETE', `/users/${id}`)).status).toBe(204);
      expect((await call('GET', '/session', { as })).status).toBe(401);
      const last = await member('admin');
      for (const { id: one, role, state } of (await call('GET', '/users')).body.items) {
        if (role === 'admin' && state !== 'disabled' && one !== last.id)
          expect((await call('PATCH', `/users/${one}`, { body: { disabled: true } })).status).toBe(200);
      }
      const place = `/users/${last.id}`;
      const refusals = [
        await call('PATCH', place, { body: { role: 'developer' } }),
        await call('PUT', place, { body: { role: 'developer' } }),
        await call('PATCH', place, { as: last.headers, body: { disabled: true } }),
        await call('DELETE', place),
      ];
      for (const { status, body } of refusals) expect([status, body.code]).toEqual([409, 'last_admin']);
      expect((await call('GET', place, { as: last.headers })).body).toMatchObject({
        role: 'admin',
        state: 'active',
      });
    });
  });
}
