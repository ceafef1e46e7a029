/** Passwords: which may be new, and how they are stored and compared. */

import { describe, expect, it } from 'vitest';
import {
  checkNewPassword,
  hashPassword,
  isPassword,
  nobodysHash,
  passwordPattern,
} from '../../../../src/access/users/password.ts';

describe('a new password', () => {
  const email = 'margaret.hamilton@example.org';
  const faultOf = (password: string) => checkNewPassword(password, { email })[0]?.message;

  it.each([
    'correct horse',
    'kitchen-window-7',
    '😀😁😂🤣😃😄 😀😁😂🤣😃',
    'margaret.hamilton likes tea',
    'passwords are long',
    'password1234 of the house',
    '7402 8153 9966',
  ])('accepts %j', (password) => {
    expect(faultOf(password)).toBeUndefined();
  });

  it.each([
    ['', 'must have 12 to 1000 characters'],
    ['correct hor', 'must have 12 to 1000 characters'],
    ['cre\u0300me bru\u0302le\u0301', 'must have 12 to 1000 characters'],
    ['😀😁😂🤣😃😄', 'must have 12 to 1000 characters'],
    [`${'horse'.repeat(200)}s`, 'must have 12 to 1000 characters'],
    ['aaaaaaaaaaaa', 'must have at least 5 different characters'],
    ['abcabcabcabc', 'must have at least 5 different characters'],
    ['abcabcabcabca', 'must have at least 5 different characters'],
    ['horse horse horse ', 'must not repeat the same characters again and again'],
    ['PasswordPassword', 'must not repeat the same characters again and again'],
    ['Password1234', 'must not be one of the commonest passwords, nor one with digits or signs after it'],
    [
      'dragon!!2026-11-28',
      'must not be one of the commonest passwords, nor one with digits or signs after it',
    ],
    ['123456789012', 'must not be one of the commonest passwords, nor one with digits or signs after it'],
    ['1QAZ2wsx3edc', 'must not be one of the commonest passwords, nor one with digits or signs after it'],
    [email, 'must not be the email address or its first part, nor one of them with digits or signs after it'],
    [
      'Margaret.Hamilton',
      'must not be the email address or its first part, nor one of them with digits or signs after it',
    ],
    [
      'margaret.hamilton_69!',
      'must not be the email address or its first part, nor one of them with digits or signs after it',
    ],
  ])('refuses %j', (password, message) => {
    expect(checkNewPassword(password, { email, path: 'newPassword' })).toEqual([
      { path: 'newPassword', message },
    ]);
  });
});

describe('a stored password', () => {
  /** A cost at which many passwords can be checked in a moment; the hashes name it. */
  const cheap = { N: 1024, r: 8, p: 1 };

  it('verifies only the right password against its hash', async () => {
    const kept = await hashPassword('correct horse', 'salt-1', cheap);
    expect(await isPassword('correct horse', kept)).toBe(true);
    for (const wrong of [
      'correct horsf',
      'Correct horse',
      'correct horse ',
      '',
      kept,
      'x'.repeat(5_000_000),
    ]) {
      expect(await isPassword(wrong, kept)).toBe(false);
    }
  });

  it('the hash contains the parameters and the salt, but not the password', async () => {
    const kept = await hashPassword('correct horse', 'salt-1');
    expect(kept).toMatch(/^scrypt\$32768\$8\$3\$salt-1\$[\w-]{43}$/);
    expect(kept).not.toContain('correct');
    const [one, other] = [
      await hashPassword('correct horse', 'salt-1', cheap),
      await hashPassword('correct horse', 'salt-2', cheap),
    ];
    expect(other).not.toBe(one.replace('salt-1', 'salt-2'));
  });

  it('verifies hashes with other parameters', async () => {
    // A test vector of RFC 7914, section 12: the derived key has two blocks of 32 bytes, and this is the first.
    const key = Buffer.from('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2', 'hex');
    const kept = `scrypt$16384$8$1$SodiumChloride$${key.toString('base64url')}`;
    expect(await isPassword('pleaseletmein', kept)).toBe(true);
  });

  it('normalizes Unicode, so that all keyboards produce the same password', async () => {
    const kept = await hashPassword('cre\u0301me bru\u0302le\u0301e', 's', cheap);
    expect(await isPassword('cr\u00e9me br\u00fbl\u00e9e', kept)).toBe(true);
  });

  it('the dummy hash matches no password', async () => {
    expect(await isPassword('', nobodysHash)).toBe(false);
    expect(await isPassword('0123456789', nobodysHash)).toBe(false);
  });

  it('accepts passwords of 10 to 1000 characters of any kind', () => {
    const good = ['x'.repeat(10), '😀'.repeat(10), '\n'.repeat(10), 'x'.repeat(1000), '😀'.repeat(1000)];
    const bad = ['', 'x'.repeat(9), '😀'.repeat(9), 'x'.repeat(1001)];
    expect(good.filter((text) => !passwordPattern.test(text))).toEqual([]);
    expect(bad.filter((text) => passwordPattern.test(text))).toEqual([]);
  });
});
