import { beforeEach, describe, expect, it } from 'vitest';
import { hashSecret } from '../../../../src/access/clients/secret.ts';
import {
  assertCsrfToken,
  createSessions,
  type Sessions,
  sessionMs,
} from '../../../../src/access/users/sessions.ts';
import { createUsers, type User, type Users } from '../../../../src/access/users/users.ts';
import { type OpenedClients, useClients } from '../../../support/api-clients.ts';

const ada = { email: 'ada@example.org', password: 'correct horse' };

const openClients = useClients();
let opened: OpenedClients;
let users: Users;
let sessions: Sessions;
let user: User;
beforeEach(async () => {
  opened = await openClients();
  users = createUsers(opened);
  sessions = createSessions({ ...opened, users });
  const { password: _, ...created } = await users.create(ada);
  user = created;
});

const kept = async () => {
  const query = { from: 'com.colophon.system.Session', offset: 0, limit: 1000, withCount: false };
  return (await opened.system.find(query, {})).items.map(({ asset }) => asset);
};

describe('signing in', () => {
  it('returns a token that identifies the session', async () => {
    const { token, session } = await sessions.signIn(ada);
    expect(session).toEqual({ user, expiresAtMs: 1000 + sessionMs, csrfToken: expect.any(String) });
    expect(await sessions.find(token)).toEqual(session);
  });

  it('stores only the hash of the token, and nothing of the CSRF token', async () => {
    const { token, session } = await sessions.signIn(ada);
    const text = JSON.stringify(await kept());
    expect(text).toContain(hashSecret(token));
    expect(text).not.toContain(token);
    expect(text).not.toContain(session.csrfToken);
  });

  it('gives each session its own tokens', async () => {
    const [one, other] = [await sessions.signIn(ada), await sessions.signIn(ada)];
    const tokens = [one, other].flatMap(({ token, session }) => [token, session.csrfToken]);
    expect(new Set(tokens).size).toBe(4);
  });

  it('refuses without revealing which of the two is wrong', async () => {
    const refusal = { code: 'unauthorized', message: 'The email or the password is wrong' };
    await expect(sessions.signIn({ ...ada, email: 'bob@example.org' })).rejects.toMatchObject(refusal);
    await expect(sessions.signIn({ ...ada, password: 'wrong horse!' })).rejects.toMatchObject(refusal);
    expect(await kept()).toEqual([]);
  });

  it('refuses even the right password after five wrong ones, until the delay is over', async () => {
    const wrong = { ...ada, password: 'wrong horse!' };
    for (let n = 0; n < 5; n++)
      await expect(sessions.signIn(wrong)).rejects.toMatchObject({ code: 'unauthorized' });
    const refusal = { code: 'too_many_attempts', details: { retryAfterSeconds: 30 } };
    await expect(sessions.signIn(ada)).rejects.toMatchObject(refusal);
    opened.clock.advance(30_000);
    expect((await sessions.signIn(ada)).session.user).toEqual(user);
  });

  it('deletes expired sessions and no others', async () => {
    await Promise.all([sessions.signIn(ada), sessions.signIn(ada)]);
    opened.clock.advance(sessionMs - 1);
    const { token } = await sessions.signIn(ada);
    expect(await kept()).toHaveLength(3);
    opened.clock.advance(1);
    await sessions.signIn(ada);
    expect(await kept()).toHaveLength(2);
    expect(await sessions.find(token)).toMatchObject({ user });
  });
});

describe('a session', () => {
  it('ends twelve hours after sign-in, and is deleted when it is next used', async () => {
    const { token } = await sessions.signIn(ada);
    opened.clock.advance(12 * 3_600_000 - 1);
    expect(await sessions.find(token)).toMatchObject({ user });
    opened.clock.advance(1);
    expect(await Promise.all([sessions.find(token), sessions.find(token)])).toEqual([undefined, undefined]);
    expect(await kept()).toEqual([]);
  });

  it('ends when the user signs out, and no other with it', async () => {
    const [{ token }, { token: other }] = [await sessions.signIn(ada), await sessions.signIn(ada)];
    await Promise.all([sessions.signOut(token), sessions.signOut(token)]);
    expect(await sessions.find(token)).toBeUndefined();
    expect(await sessions.find(other)).toMatchObject({ user });
  });

  it('ends with its user', async () => {
    const { token } = await sessions.signIn(ada);
    await opened.system.delete({ id: user.id }, {});
    expect(await sessions.find(token)).toBeUndefined();
  });

  it('is found only by its token', async () => {
    const { token, session } = await sessions.signIn(ada);
    for (const wrong of [
      '',
      '\0',
      '\ud800',
      `${token} `,
      hashSecret(token),
      session.csrfToken,
      "' or true",
    ]) {
      expect(await sessions.find(wrong)).toBeUndefined();
      await sessions.signOut(wrong);
    }
    expect(await sessions.find(token)).toEqual(session);
  });

  it('accepts changes only with its own CSRF token', async () => {
    const [{ session }, { session: other, token }] = [await sessions.signIn(ada), await sessions.signIn(ada)];
    expect(() => assertCsrfToken(session, session.csrfToken)).not.toThrow();
    for (const wrong of [undefined, '', other.csrfToken, token, `${session.csrfToken}0`]) {
      expect(() => assertCsrfToken(session, wrong)).toThrow(expect.objectContaining({ code: 'forbidden' }));
    }
  });
});
