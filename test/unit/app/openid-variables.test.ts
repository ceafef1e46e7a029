/** The settings of sign-in by OpenID Connect. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/app/config/config.ts';
import { listSettings } from '../../../src/app/config/list-settings.ts';
import { isDomainError } from '../../../src/base/errors.ts';

const given = {
  COLOPHON_PUBLIC_URL: 'https://example.com/cms',
  COLOPHON_OPENID_ISSUER: 'https://login.example.com/realms/news',
  COLOPHON_OPENID_CLIENT_ID: 'colophon',
  COLOPHON_OPENID_CLIENT_SECRET: 'sixteen letters!',
  COLOPHON_OPENID_ROLES: 'cms-editors:editor',
};

/** Reads settings that are refused; returns the problems as text. */
function problemsOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!isDomainError(error, 'bad_config')) throw error;
    return error.details.problems.map(({ path, message }) => `${path} ${message}`);
  }
}

describe('the settings of OpenID Connect', () => {
  it('are absent by default', () => {
    expect(readConfig({}).openid).toBeUndefined();
  });

  it('are read together, with defaults', () => {
    expect(readConfig(given).openid).toEqual({
      issuer: 'https://login.example.com/realms/news',
      clientId: 'colophon',
      clientSecret: 'sixteen letters!',
      roles: new Map([['cms-editors', 'editor']]),
      redirectUri: 'https://example.com/cms/admin/sign-in/callback',
      groupsClaim: 'groups',
      scopes: 'openid email profile',
      label: 'login.example.com',
    });
    const more = {
      COLOPHON_OPENID_GROUPS_CLAIM: 'realm_access.roles',
      COLOPHON_OPENID_SCOPES: 'email openid groups',
      COLOPHON_OPENID_LABEL: 'Example & Söhne',
    };
    expect(readConfig({ ...given, ...more }).openid).toMatchObject({
      groupsClaim: 'realm_access.roles',
      scopes: 'email openid groups',
      label: 'Example & Söhne',
    });
  });

  it.each(Object.keys(given))('need %s', (name) => {
    expect(problemsOf({ ...given, [name]: undefined })).toEqual([
      `${name} must be set for sign-in by OpenID Connect`,
    ]);
  });

  it('allow an issuer without TLS only in private networks', () => {
    const issuer = { ...given, COLOPHON_OPENID_ISSUER: 'http://keycloak:8080/realms/news' };
    expect(problemsOf(issuer)).toEqual([
      'COLOPHON_OPENID_ISSUER must begin with https://; http:// is for private networks, with COLOPHON_WEBHOOK_PRIVATE=true',
    ]);
    const { openid } = readConfig({ ...issuer, COLOPHON_WEBHOOK_PRIVATE: 'true' });
    expect(openid?.issuer).toBe('http://keycloak:8080/realms/news');
  });

  it.each([
    ['COLOPHON_OPENID_ISSUER', 'login.example.com'],
    ['COLOPHON_OPENID_ISSUER', 'ftp://login.example.com'],
    ['COLOPHON_OPENID_ISSUER', 'https://login.example.com/?x=1'],
    ['COLOPHON_OPENID_ISSUER', 'https://user:word@login.example.com'],
    ['COLOPHON_OPENID_ISSUER', 'https://login.example.com/.well-known/openid-configuration'],
    ['COLOPHON_OPENID_CLIENT_ID', 'clé'],
    ['COLOPHON_OPENID_CLIENT_SECRET', 'fifteen letters'],
    ['COLOPHON_OPENID_ROLES', 'editor'],
    ['COLOPHON_OPENID_GROUPS_CLAIM', 'my groups'],
    ['COLOPHON_OPENID_SCOPES', 'email profile'],
    ['COLOPHON_OPENID_SCOPES', 'openid  email'],
    ['COLOPHON_OPENID_LABEL', ' '],
  ])('refuse %s=%s', (name, text) => {
    expect(problemsOf({ ...given, [name]: text })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must `)),
    ]);
  });

  it('are listed without the secret', () => {
    const listed = new Map(listSettings(given).map(({ name, value }) => [name, value]));
    expect(listed.get('COLOPHON_OPENID_CLIENT_SECRET')).toBe('…');
    expect(listed.get('COLOPHON_OPENID_ISSUER')).toBe(given.COLOPHON_OPENID_ISSUER);
    expect(listed.get('COLOPHON_OPENID_GROUPS_CLAIM')).toBe('groups');
  });
});
