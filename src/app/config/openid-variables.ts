/**
 * The environment variables of sign-in by OpenID Connect. They are given together or not at all.
 */
import { type OpenidSettings, parseGroupRoles } from '../../access/openid/openid-settings.ts';
import type { Role } from '../../access/users/roles.ts';
import type { Problem } from '../../base/errors.ts';
import { maybe, optional, type Variable } from './variable-kinds.ts';

const defaultScopes = 'openid email profile';
const defaultGroupsClaim = 'groups';

export const openidVariables = {
  COLOPHON_OPENID_ISSUER: maybe(readIssuer),
  COLOPHON_OPENID_CLIENT_ID: optional(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters'),
  // Its hash encrypts the cookie of a sign-in.
  COLOPHON_OPENID_CLIENT_SECRET: optional(
    /^[\x20-\x7e]{16,1000}$/,
    'must be 16 to 1000 printable ASCII characters',
  ),
  COLOPHON_OPENID_ROLES: maybe(readRoles),
  COLOPHON_OPENID_GROUPS_CLAIM: withDefault(
    defaultGroupsClaim,
    /^[\x21-\x7e]{1,200}$/,
    'must be 1 to 200 printable ASCII characters without blanks',
  ),
  COLOPHON_OPENID_SCOPES: withDefault(
    defaultScopes,
    /^(?=.{1,500}$)(?:[\x21-\x7e]+ )*openid(?: [\x21-\x7e]+)*$/,
    `must be scopes with blanks between them, openid among them, such as ${defaultScopes}`,
  ),
  COLOPHON_OPENID_LABEL: optional(/^(?! )[^\p{C}]{1,60}$/u, 'must have 1 to 60 characters'),
};

function withDefault(fallback: string, pattern: RegExp, reason: string): Variable<string> {
  return { fallback, read: (value) => (pattern.test(value) ? { value } : reason) };
}

function readIssuer(text: string): { readonly value: string } | string {
  const url = URL.parse(text);
  const isAddress =
    url && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username + url.password === '';
  if (!isAddress || text.includes('/.well-known/'))
    return 'must be the address that the provider calls its issuer, such as https://login.example.com/realms/news';
  return { value: text };
}

function readRoles(text: string): { readonly value: ReadonlyMap<string, Role> } | string {
  const roles = parseGroupRoles(text);
  return typeof roles === 'string' ? roles : { value: roles };
}

/** Reads a variable; adds the problem of an invalid one. */
type ReadVariable = <Value>(name: string, variable: Variable<Value>) => Value;

/** Reads the settings of the provider; absent without an issuer. `problems` receives those of variables that do not fit together. */
export function readOpenid(
  read: ReadVariable,
  { publicUrl, webhookPrivate }: { publicUrl: string | undefined; webhookPrivate: boolean },
  problems: Problem[],
): OpenidSettings | undefined {
  const variables = openidVariables;
  const [issuer, clientId, clientSecret, roles, label] = [
    read('COLOPHON_OPENID_ISSUER', variables.COLOPHON_OPENID_ISSUER),
    read('COLOPHON_OPENID_CLIENT_ID', variables.COLOPHON_OPENID_CLIENT_ID),
    read('COLOPHON_OPENID_CLIENT_SECRET', variables.COLOPHON_OPENID_CLIENT_SECRET),
    read('COLOPHON_OPENID_ROLES', variables.COLOPHON_OPENID_ROLES),
    read('COLOPHON_OPENID_LABEL', variables.COLOPHON_OPENID_LABEL),
  ];
  const groupsClaim = read('COLOPHON_OPENID_GROUPS_CLAIM', variables.COLOPHON_OPENID_GROUPS_CLAIM);
  const scopes = read('COLOPHON_OPENID_SCOPES', variables.COLOPHON_OPENID_SCOPES);
  const needed = {
    COLOPHON_OPENID_ISSUER: issuer,
    COLOPHON_OPENID_CLIENT_ID: clientId,
    COLOPHON_OPENID_CLIENT_SECRET: clientSecret,
    COLOPHON_OPENID_ROLES: roles,
  };
  if (Object.values(needed).every((value) => value === undefined)) return undefined;
  if (issuer?.startsWith('http:') && !webhookPrivate) {
    const message =
      'must begin with https://; http:// is for private networks, with COLOPHON_WEBHOOK_PRIVATE=true';
    problems.push({ path: 'COLOPHON_OPENID_ISSUER', message });
  }
  for (const [path, value] of Object.entries({ ...needed, COLOPHON_PUBLIC_URL: publicUrl })) {
    // An invalid one has its problem already.
    if (value !== undefined || problems.some((problem) => problem.path === path)) continue;
    problems.push({ path, message: 'must be set for sign-in by OpenID Connect' });
  }
  if (!issuer || !clientId || !clientSecret || !roles || !publicUrl) return undefined;
  const redirectUri = `${publicUrl}/admin/sign-in/callback`;
  const client = { issuer, clientId, clientSecret, redirectUri };
  return { ...client, roles, groupsClaim, scopes, label: label ?? new URL(issuer).host };
}
