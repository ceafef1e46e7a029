/** Roles and disabled users: what ends when, and that an administrator always remains. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createSessions, type Sessions } from '../../../../src/access/users/sessions.ts';
import { createUsers, type Users } from '../../../../src/access/users/users.ts';
import { type OpenedClients, useClients } from '../../../support/api-clients.ts';

const ada = { email: 'ada@example.org', password: 'correct horse' };
const bob = { email: 'bob@example.org', password: 'battery staple' };

const openClients = useClients();
let opened: OpenedClients;
let users: Users;
let sessions: Sessions;
beforeEach(async () => {
  opened = await openClients();
  users = createUsers(opened);
  sessions = createSessions({ ...opened, users });
});

describe('a role', () => {
  it('holds in a session from the next request on', async () => {
    await users.create(bob);
    const { id } = await users.create(ada);
    const { token } = await sessions.signIn(ada);
    await users.update(id, { role: 'editor' });
    expect(await sessions.find(token)).toMatchObject({ user: { role: 'editor' } });
  });
});

describe('a disabled user', () => {
  it('has no session any more, is told so with the right password only, and can be enabled', async () => {
    const { id } = await users.create({ ...ada, role: 'editor' });
    const { token } = await sessions.signIn(ada);
    expect(await users.update(id, { isDisabled: true })).toMatchObject({ disabledAtMs: 1000 });
    expect(await sessions.find(token)).toBeUndefined();
    await expect(sessions.signIn(ada)).rejects.toMatchObject({ message: /is disabled/ });
    await expect(sessions.signIn({ ...ada, password: 'wrong horse!' })).rejects.toMatchObject({
      message: 'The email or the password is wrong',
    });
    expect(await users.update(id, { isDisabled: false })).not.toHaveProperty('disabledAtMs');
    expect(await sessions.find(token)).toBeUndefined();
    expect((await sessions.signIn(ada)).session.user.id).toBe(id);
  });

  it('has no session even when one begins while the user is being disabled', async () => {
    const { id } = await users.create({ ...ada, role: 'editor' });
    const { token } = await sessions.signIn(ada);
    await opened.system.update({ id, body: { disabledAt: 1000 } }, {});
    expect(await sessions.find(token)).toBeUndefined();
  });
});

describe('the last administrator', () => {
  const changes = [{ role: 'developer' as const }, { isDisabled: true }];

  it.each(changes)('cannot be changed by %o, while another one can', async (change) => {
    const one = await users.create(ada);
    const other = await users.create(bob);
    await users.create({ ...ada, email: 'ed@example.org', role: 'editor' });
    await users.update(one.id, change);
    await expect(users.update(other.id, change)).rejects.toMatchObject({ code: 'last_admin' });
    await expect(users.delete(other.id)).rejects.toMatchObject({ code: 'last_admin' });
    expect(await users.find(other.id)).toMatchObject({ role: 'admin' });
    expect(await users.find(other.id)).not.toHaveProperty('disabledAtMs');
    await users.delete(one.id);
    expect(await users.find(one.id)).toBeUndefined();
  });

  it('is not an administrator who has not accepted the invitation', async () => {
    const { id } = await users.create(ada);
    const invited = await users.create(bob);
    const { nobodysHash } = await import('../../../../src/access/users/password.ts');
    await opened.system.update({ id: invited.id, body: { passwordHash: nobodysHash } }, {});
    await expect(users.update(id, { isDisabled: true })).rejects.toMatchObject({ code: 'last_admin' });
  });

  it('remains when all are disabled at the same time', async () => {
    const emails = ['a@example.org', 'b@example.org', 'c@example.org'];
    const made = await Promise.all(emails.map((email) => users.create({ ...ada, email })));
    await Promise.allSettled(made.map(({ id }) => users.update(id, { isDisabled: true })));
    const active = (await users.list()).filter(({ disabledAtMs }) => disabledAtMs === undefined);
    expect(active.length).toBeGreaterThan(0);
  });
});

describe('the sessions of a user', () => {
  it('are listed with the browser, and end one by one or all but one', async () => {
    const owner = async (userAgent: string) => {
      const { token, session } = await sessions.signIn({ ...ada, userAgent });
      return { user: session.user, token };
    };
    await users.create(ada);
    await users.create(bob);
    const first = await owner('Firefox');
    opened.clock.advance(1000);
    const second = await owner(`Chromium\u0000${'x'.repeat(400)}`);
    const stranger = await sessions.signIn(bob);
    const listed = await sessions.list(first);
    expect(listed.map(({ isCurrent, beganAtMs }) => [isCurrent, beganAtMs])).toEqual([
      [false, 2000],
      [true, 1000],
    ]);
    expect(listed.map(({ userAgent }) => userAgent?.slice(0, 9))).toEqual(['Chromiumx', 'Firefox']);
    const bobs = { user: stranger.session.user, token: stranger.token };
    await expect(sessions.end(bobs, listed[0]?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
    await sessions.end(first, listed[0]?.id ?? '');
    expect(await sessions.find(second.token)).toBeUndefined();
    const third = await owner('Safari');
    await sessions.endOthers(third);
    expect(await sessions.find(first.token)).toBeUndefined();
    expect(await sessions.find(third.token)).toBeDefined();
    expect(await sessions.find(stranger.token)).toBeDefined();
  });

  it('end with a change of the own password, except the one that asks', async () => {
    await users.create(ada);
    const { token, session } = await sessions.signIn(ada);
    const other = await sessions.signIn(ada);
    const owner = { user: session.user, token };
    const change = { currentPassword: ada.password, newPassword: 'another password' };
    const wrong = { ...change, currentPassword: 'not the password' };
    await expect(sessions.changePassword(owner, wrong)).rejects.toMatchObject({
      details: { problems: [{ path: 'currentPassword' }] },
    });
    await expect(sessions.changePassword(owner, { ...change, newPassword: 'short' })).rejects.toMatchObject({
      details: { problems: [{ path: 'newPassword' }] },
    });
    expect(await sessions.find(other.token)).toBeDefined();
    await sessions.changePassword(owner, change);
    expect(await sessions.find(other.token)).toBeUndefined();
    expect(await sessions.find(token)).toBeDefined();
    expect(await users.verify({ ...ada, password: 'another password' })).toBeDefined();
  });

  it('do not reveal the password to endless attempts', async () => {
    await users.create(ada);
    const { token, session } = await sessions.signIn(ada);
    const attempt = (currentPassword: string) =>
      sessions.changePassword(
        { user: session.user, token },
        { currentPassword, newPassword: 'another password' },
      );
    for (let n = 0; n < 5; n++)
      await expect(attempt(`wrong ${n}`)).rejects.toMatchObject({ code: 'invalid_body' });
    await expect(attempt(ada.password)).rejects.toMatchObject({ code: 'too_many_attempts' });
  });
});
