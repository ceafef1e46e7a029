/**
 * The settings of sign-in by OpenID Connect: the provider, the client that Colophon is there, and which group gives which role.
 */
import { roles as allRoles, includesRole, isRole, type Role } from '../users/roles.ts';

/** The settings of one provider. */
export interface OpenidSettings {
  /** The URL that identifies the provider. */
  readonly issuer: string;
  readonly clientId: string;
  /** At least 16 characters. */
  readonly clientSecret: string;
  /** What people call the provider. */
  readonly label: string;
  /** The scopes that are asked for, with spaces between them. */
  readonly scopes: string;
  /** The claim that has the groups of a user. */
  readonly groupsClaim: string;
  /** The role of each group. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The page of the admin UI to which the provider sends the browser. */
  readonly redirectUri: string;
}

/** A pair ends with a role, so that the name of a group may have commas and colons, as those of LDAP do. */
const pair = /\s*(.+?):([a-z]+)\s*(?:,|$)/gy;

const innerPair = new RegExp(`:(${allRoles.join('|')})\\b`);

/** Reads pairs of group and role with commas between them; returns a string with the reason if the text has another form. */
export function parseGroupRoles(text: string): ReadonlyMap<string, Role> | string {
  const roles = new Map<string, Role>();
  let end = 0;
  for (const [whole, group = '', role] of text.matchAll(pair)) {
    // A group with `:role` inside is two pairs without a comma between them, such as `editors:editor;admins:admin`.
    if (!isRole(role) || innerPair.test(group)) break;
    if (roles.has(group)) return `names the group ${group} twice`;
    roles.set(group, role);
    end += whole.length;
  }
  const isComplete = roles.size > 0 && end === text.length && !text.endsWith(',');
  return isComplete
    ? roles
    : 'must be pairs such as cms-editors:editor,cms-admins:admin, with the roles editor, developer and admin';
}

/** Returns the most powerful role that the groups give, if there is one. */
export function findRole(groups: readonly string[], roles: ReadonlyMap<string, Role>): Role | undefined {
  return groups
    .flatMap((group) => roles.get(group) ?? [])
    .reduce<Role | undefined>((best, role) => (best && includesRole(best, role) ? best : role), undefined);
}
