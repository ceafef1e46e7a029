/** The roles of groups. */
import { describe, expect, it } from 'vitest';
import { findRole, parseGroupRoles } from '../../../../src/access/openid/openid-settings.ts';

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
