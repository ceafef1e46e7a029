/** Signing in with OpenID Connect: its settings, sign-ins that have begun, and what a provider claims. */

import { describe, expect, it } from 'vitest';
import { createBegunSignIns } from '../../../../src/access/openid/begun-sign-ins.ts';
import { findRole, parseGroupRoles } from '../../../../src/access/openid/openid-settings.ts';
import { isComplete, toPerson } from '../../../../src/access/openid/openid-users.ts';
import { randomIds } from '../../../../src/base/runtime.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';

describe('roles of groups', () => {
  it.each<[text: string, roles: Record<string, string>]>([
    ['a:editor', { a: 'editor' }],
    ['cms-editors:editor,cms-admins:admin', { 'cms-editors': 'editor', 'cms-admins': 'admin' }],
    [' Team A : B:developer , c:admin', { 'Team A : B': 'developer', c: 'admin' }],
    ['cn=a,ou=b,dc=c:editor,cn=d,ou=b:admin', { 'cn=a,ou=b,dc=c': 'editor', 'cn=d,ou=b': 'admin' }],
    ['/news/editors:editor', { '/news/editors': 'editor' }],
  ])('are read from %j', (text, roles) => {
    expect(parseGroupRoles(text)).toEqual(new Map(Object.entries(roles)));
  });

  it.each([
    '',
    'a',
    'a:',
    ':editor',
    'a:owner',
    'a:editor,',
    'a:editor,b',
    'a:editor;b:admin',
    'a:editor b:admin',
  ])('are refused in %j', (text) => {
    expect(parseGroupRoles(text)).toMatch(/^must be pairs such as cms-editors:editor/);
  });

  it('name each group once', () => {
    expect(parseGroupRoles('a:editor,a:admin')).toBe('names the group a twice');
  });

  it('give the most powerful role of all groups', () => {
    const roles = parseGroupRoles('a:editor,b:admin,c:developer');
    if (typeof roles === 'string') throw new Error(roles);
    expect(findRole(['x', 'a', 'b', 'c'], roles)).toBe('admin');
    expect(findRole(['c', 'a'], roles)).toBe('developer');
    expect(findRole(['A', 'x'], roles)).toBeUndefined();
    expect(findRole([], roles)).toBeUndefined();
  });
});

describe('a sign-in that has begun', () => {
  const create = (clientSecret: string) => createBegunSignIns({ clientSecret, ids: randomIds });
  const begun = (n: number, returnTo = '/admin') => ({
    state: `state ${n} ${'s'.repeat(36)}`,
    nonce: 'n'.repeat(43),
    verifier: 'v'.repeat(43),
    returnTo,
    expiresAtMs: 1000 * n,
  });

  it('is read by every server that has the client secret, and by no other', () => {
    const sealed = create('a secret of 16 letters').seal([begun(2), begun(1)]);
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(sealed).not.toBe(create('a secret of 16 letters').seal([begun(2), begun(1)]));
    expect(create('a secret of 16 letters').open(sealed, 0)).toEqual([begun(2), begun(1)]);
    expect(create('another secret of some letters').open(sealed, 0)).toEqual([]);
  });

  it('has no sign-in that has expired, was changed, or never began', () => {
    const { seal, open } = create('a secret of 16 letters');
    const sealed = seal([begun(2), begun(1)]);
    expect(open(sealed, 1000)).toEqual([begun(2)]);
    expect(open(sealed, 2000)).toEqual([]);
    const changed = (sealed.at(40) === 'A' ? 'B' : 'A') + sealed.slice(41);
    for (const text of [undefined, '', 'x', '?', sealed.slice(0, 30), sealed.slice(0, 40) + changed])
      expect(open(text, 0)).toEqual([]);
  });

  it('keeps the latest sign-ins that fit a cookie', () => {
    const { seal, open } = create('a secret of 16 letters');
    const many = [6, 5, 4, 3, 2, 1].map((n) => begun(n));
    expect(open(seal(many), 0)).toEqual(many.slice(0, 4));
    const long = [4, 3, 2, 1].map((n) => begun(n, `/admin?${'x'.repeat(1000)}`));
    const sealed = seal(long);
    expect(sealed.length).toBeLessThan(3_900);
    expect(open(sealed, 0)).toEqual(long.slice(0, 2));
    const longest = [begun(1, `/admin?${'x'.repeat(1990)}`)];
    expect(seal(longest).length).toBeLessThan(3_900);
    expect(open(seal(longest), 0)).toEqual(longest);
  });
});

describe('the claims of a provider', () => {
  const ids = { iss: 'https://login.example.com', sub: '1' };
  const read = (claims: JsonObject, groupsClaim = 'groups', userinfo: JsonObject = {}) =>
    toPerson({ token: { ...claims, ...ids }, userinfo }, groupsClaim);

  it.each<[claims: JsonObject, groupsClaim: string, groups: string[] | undefined]>([
    [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
    [{ groups: 'a' }, 'groups', ['a']],
    [{ groups: [] }, 'groups', []],
    [{ groups: ['a', 1, null, { name: 'b' }] }, 'groups', ['a']],
    [{ realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
    [{ 'https://example.com/groups': ['a'] }, 'https://example.com/groups', ['a']],
    [{ groups: { a: true } }, 'groups', undefined],
    [{}, 'groups', undefined],
    [{}, 'constructor.name', undefined],
    [{ roles: ['a'] }, 'groups', undefined],
  ])('reads the groups of %j in the claim %s', (claims, groupsClaim, groups) => {
    expect(read(claims, groupsClaim).groups).toEqual(groups);
  });

  it('believes the ID token more than userinfo', () => {
    const person = read({ email: 'a@example.com' }, 'groups', {
      email: 'b@example.com',
      sub: '2',
      groups: 'g',
    });
    expect(person).toEqual({
      issuer: ids.iss,
      subject: '1',
      email: 'a@example.com',
      groups: ['g'],
    });
  });

  it('reads a name that a record can hold', () => {
    expect(read({ name: ' Ada\u0000 Example ' }).name).toBe('Ada Example');
    expect(read({ preferred_username: 'ada' }).name).toBe('ada');
    expect(read({ name: 'x'.repeat(200) }).name).toHaveLength(100);
    expect(read({ name: `${'x'.repeat(99)}😀` }).name).toMatch(/^x{99}\ufffd?$/);
    for (const name of ['', ' ', 1, null]) expect(read({ name })).not.toHaveProperty('name');
  });

  it('asks userinfo for what is missing', () => {
    const claims = { email: 'a@example.com', name: 'Ada', groups: ['a'] };
    expect(isComplete(claims, 'groups')).toBe(true);
    for (const name of ['email', 'name', 'groups'])
      expect(isComplete({ ...claims, [name]: null }, 'groups')).toBe(false);
  });
});
