/** What a provider says about a person. */
import { expect, it } from 'vitest';
import { isComplete, toPerson } from '../../../../src/access/openid/openid-users.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';

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
