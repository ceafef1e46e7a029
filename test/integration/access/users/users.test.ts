import { beforeEach, describe, expect, it } from 'vitest';
import { nobodysHash } from '../../../../src/access/users/password.ts';
import { createSessions } from '../../../../src/access/users/sessions.ts';
import { createFirstUser, createUsers, type Users } from '../../../../src/access/users/users.ts';
import { type OpenedClients, useClients } from '../../../support/api-clients.ts';

const openClients = useClients();
let opened: OpenedClients;
let users: Users;
beforeEach(async () => {
  opened = await openClients();
  users = createUsers(opened);
});

const ada = { email: 'ada@example.org', password: 'correct horse' };

describe('creating', () => {
  it('stores the email in lower case, and only a hash of the password', async () => {
    const created = await users.create({ ...ada, email: 'Ada@Example.ORG' });
    const { password, ...user } = created;
    expect([user, password]).toEqual([
      { id: created.id, email: ada.email, role: 'admin', hasPassword: true, isOfProvider: false },
      ada.password,
    ]);
    expect(await users.list()).toEqual([user]);
    const { asset } = await opened.system.get(created.id, {});
    expect(asset.passwordHash).toMatch(/^scrypt\$/);
    expect(JSON.stringify(asset)).not.toContain(ada.password);
  });

  it('generates a password if none is given', async () => {
    const { password } = await users.create({ email: ada.email, password: '0123456789abc' });
    expect(password).toBe('0123456789abc');
    const ids = { ...opened.ids, secret: () => 'a secret of some length' };
    const made = await createUsers({ ...opened, ids }).create({ email: 'bob@example.org' });
    expect(made.password).toBe('a secret of some length');
    expect(await users.verify(made)).toMatchObject({ email: made.email });
  });

  it('stores different hashes for two users with the same password', async () => {
    const made = [await users.create(ada), await users.create({ ...ada, email: 'bob@example.org' })];
    const records = await Promise.all(made.map(({ id }) => opened.system.get(id, {})));
    expect(new Set(records.map(({ asset }) => asset.passwordHash)).size).toBe(2);
  });

  it('refuses what is no email', async () => {
    const emails = [
      '',
      'ada',
      '@',
      'ada@',
      '@x',
      'a@b@c',
      'a b@c',
      'a@b\n',
      'a\0@b',
      '\u202ea@b',
      '\ud800@b',
      `${'a'.repeat(253)}@b`,
    ];
    const refusal = { code: 'invalid_body', details: { problems: [{ path: 'email' }] } };
    for (const email of emails) {
      await expect(users.create({ ...ada, email }), email).rejects.toMatchObject(refusal);
    }
    expect(await users.list()).toEqual([]);
  });

  it('takes unusual emails', async () => {
    for (const email of [
      'admin@localhost',
      "o'neil+x@example.org",
      'ü@bücher.example',
      `${'a'.repeat(252)}@b`,
    ])
      expect(await users.create({ ...ada, email })).toMatchObject({ email });
  });

  it('refuses a short or a very long password, together with a wrong email', async () => {
    for (const password of ['', '12345678901', 'x'.repeat(1001)]) {
      const problems = [{ path: 'email' }, { path: 'password', message: 'must have 12 to 1000 characters' }];
      await expect(users.create({ email: 'ada', password })).rejects.toMatchObject({ details: { problems } });
    }
  });

  it('refuses an email in use, in any letter case', async () => {
    await users.create(ada);
    const taken = { code: 'value_in_use', details: { field: 'email' } };
    await expect(users.create({ ...ada, email: 'ADA@example.org' })).rejects.toMatchObject(taken);
  });
});

describe('verifying', () => {
  it('accepts the email, in any letter case, with the password', async () => {
    const { id } = await users.create(ada);
    expect(await users.verify(ada)).toMatchObject({ id, email: ada.email });
    expect(await users.verify({ ...ada, email: 'ADA@example.org' })).toMatchObject({ id, email: ada.email });
  });

  it('refuses everything else', async () => {
    await users.create(ada);
    for (const wrong of [
      { password: 'correct horsE' },
      { password: '' },
      { email: 'bob@example.org' },
      { email: '' },
      { email: '\0' },
      { email: '\ud800@b' },
      { email: '__proto__' },
      { email: "' or true" },
      { email: 'x'.repeat(1_000_000) },
    ]) {
      expect(await users.verify({ ...ada, ...wrong })).toBeUndefined();
    }
  });

  it('takes about as long for an email that nobody has', async () => {
    // With the usual cost, beside which the rest is little.
    const usual = createUsers({ ...opened, passwordCost: undefined });
    await usual.create(ada);
    const timeOf = async (email: string) => {
      // The work of the process: a wait would vary on a busy machine.
      const before = process.cpuUsage();
      await usual.verify({ email, password: 'wrong password' });
      return process.cpuUsage(before).user;
    };
    const [known, unknown] = [await timeOf(ada.email), await timeOf('bob@example.org')];
    expect(unknown).toBeGreaterThan(known / 5);
    expect(nobodysHash.split('$').slice(0, 4)).toEqual(['scrypt', '32768', '8', '3']);
  });
});

describe('a change of password', () => {
  it('invalidates the old password and the sessions of only that user', async () => {
    const sessions = createSessions({ ...opened, users });
    const bob = { ...ada, email: 'bob@example.org' };
    const { id } = await users.create(ada);
    await users.create(bob);
    const tokens = [(await sessions.signIn(ada)).token, (await sessions.signIn(ada)).token];
    const { token: other } = await sessions.signIn(bob);
    await users.changePassword({ id, password: 'battery staple' });
    expect(await users.verify(ada)).toBeUndefined();
    expect(await users.verify({ ...ada, password: 'battery staple' })).toMatchObject({ id });
    for (const token of tokens) expect(await sessions.find(token)).toBeUndefined();
    expect(await sessions.find(other)).toMatchObject({ user: { email: bob.email } });
  });

  it('is refused for an invalid password and for an unknown user', async () => {
    const { id } = await users.create(ada);
    const { clientId } = await opened.clients.create({ name: 'x', scopes: ['admin'] });
    const change = (wrong: object) => users.changePassword({ id, password: 'battery staple', ...wrong });
    await expect(change({ password: 'short' })).rejects.toMatchObject({ code: 'invalid_body' });
    for (const stranger of ['nobody', '', '0190a0c0-0000-7000-8000-000000000000', clientId]) {
      await expect(change({ id: stranger })).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await users.verify(ada)).toMatchObject({ id });
  });
});

describe('the first user', () => {
  it('is created from the given values in an empty store', async () => {
    expect(await createFirstUser(users, ada)).toMatchObject(ada);
    expect(await createFirstUser(users, { ...ada, email: 'bob@example.org' })).toBeUndefined();
    expect(await users.list()).toMatchObject([{ email: ada.email }]);
  });

  it('has a default email', async () => {
    const { password } = ada;
    expect(await createFirstUser(users, { password })).toMatchObject({ email: 'admin@localhost', password });
  });

  it('is created by only one of many processes that start at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => createFirstUser(users, ada)));
    expect(made.filter((user) => user !== undefined)).toHaveLength(1);
    expect(await users.list()).toHaveLength(1);
  });
});
