/** Invitations: links that work once, for a limited time. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createInvitations,
  type Invitations,
  invitationMs,
} from '../../../../src/access/users/invitations.ts';
import { createSessions } from '../../../../src/access/users/sessions.ts';
import { createUsers, type Users } from '../../../../src/access/users/users.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import { type OpenedClients, useClients } from '../../../support/api-clients.ts';

const chosen = { name: ' Ed Example ', password: 'correct horse' };
const ended = { code: 'invitation_ended' };

const openClients = useClients();
let opened: OpenedClients;
let users: Users;
let invitations: Invitations;
beforeEach(async () => {
  opened = await openClients();
  users = createUsers(opened);
  invitations = createInvitations({ ...opened, origins: createRequestOrigins() });
});

const invite = () => invitations.invite({ email: 'Ed@example.org', role: 'editor' });

describe('an invitation', () => {
  it('is accepted once with a name and a password', async () => {
    const { user, token, expiresAtMs } = await invite();
    expect([user.email, user.hasPassword, expiresAtMs]).toEqual([
      'ed@example.org',
      false,
      1000 + invitationMs,
    ]);
    expect(await invitations.check(token)).toMatchObject({
      email: 'ed@example.org',
      invitedUntilMs: expiresAtMs,
    });
    expect(await invitations.accept({ token, ...chosen })).toEqual({
      id: user.id,
      email: 'ed@example.org',
      name: 'Ed Example',
      role: 'editor',
      hasPassword: true,
      isOfProvider: false,
    });
    expect(await users.verify({ email: user.email, password: chosen.password })).toMatchObject({
      id: user.id,
    });
    await expect(invitations.check(token)).rejects.toMatchObject(ended);
    await expect(invitations.accept({ token, ...chosen })).rejects.toMatchObject(ended);
  });

  it('stores only a hash of its secret', async () => {
    const { user, token } = await invite();
    const text = JSON.stringify((await opened.system.get(user.id, {})).asset);
    expect(text).toContain('invitationHash');
    expect(text).not.toContain(token.split('.')[1]);
  });

  it('is accepted by only one of two requests at the same time, also of two processes', async () => {
    const { token } = await invite();
    const other = createInvitations({ ...opened, origins: createRequestOrigins() });
    const names = ['One', 'Two', 'Three', 'Four'];
    const results = await Promise.allSettled(
      names.map((name, n) => (n % 2 ? other : invitations).accept({ ...chosen, token, name })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(ended);
  });

  it('ends after seven days, when it is replaced, and when the user is disabled or deleted', async () => {
    const first = await invite();
    const second = await invitations.renew(first.user.id);
    await expect(invitations.check(first.token)).rejects.toMatchObject(ended);
    opened.clock.advance(invitationMs - 1);
    expect(await invitations.check(second.token)).toBeDefined();
    opened.clock.advance(1);
    await expect(invitations.accept({ token: second.token, ...chosen })).rejects.toMatchObject(ended);
    const third = await invitations.renew(first.user.id);
    await users.update(first.user.id, { isDisabled: true });
    await expect(invitations.check(third.token)).rejects.toMatchObject(ended);
    await expect(invitations.renew(first.user.id)).rejects.toMatchObject({ code: 'user_disabled' });
    await users.update(first.user.id, { isDisabled: false });
    await expect(invitations.check(third.token)).rejects.toMatchObject(ended);
    const fourth = await invitations.renew(first.user.id);
    await users.delete(first.user.id);
    await expect(invitations.check(fourth.token)).rejects.toMatchObject(ended);
  });

  it('is refused for anything that is no token', async () => {
    const { user, token } = await invite();
    const { clientId } = await opened.clients.create({ name: 'x', scopes: ['admin'] });
    const tokens = [
      '',
      '.',
      'x',
      user.id,
      `${user.id}.`,
      `${user.id}.wrong`,
      `${token}x`,
      `${clientId}.x`,
      '\0.\ud800',
    ];
    for (const wrong of tokens) await expect(invitations.check(wrong), wrong).rejects.toMatchObject(ended);
  });

  it('needs a name and a password, and stays valid when they are wrong', async () => {
    const { token } = await invite();
    await expect(invitations.accept({ token, name: ' ', password: 'short' })).rejects.toMatchObject({
      details: { problems: [{ path: 'name' }, { path: 'password' }] },
    });
    expect(await invitations.check(token)).toBeDefined();
  });

  it('cannot be made for an email in use, or for a text that is no email', async () => {
    await invite();
    await expect(invite()).rejects.toMatchObject({ code: 'value_in_use' });
    const wrong = invitations.invite({ email: 'nobody', role: 'editor' });
    await expect(wrong).rejects.toMatchObject({ details: { problems: [{ path: 'email' }] } });
  });

  it('gives a user who forgot the password a new one, and ends the sessions that are open', async () => {
    const sessions = createSessions({ ...opened, users });
    const ada = { email: 'ada@example.org', password: 'battery staple' };
    const { id } = await users.create(ada);
    const { token: session } = await sessions.signIn(ada);
    const { token } = await invitations.renew(id);
    expect(await sessions.find(session)).toBeDefined();
    await invitations.accept({ token, ...chosen });
    expect(await sessions.find(session)).toBeUndefined();
    expect(await users.verify(ada)).toBeUndefined();
  });
});
