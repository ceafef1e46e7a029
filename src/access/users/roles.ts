/**
 * Roles: what a user may do. Each role may do all that the roles before it may.
 */
import { forbidden } from '../../base/errors.ts';

/** All roles, from the least to the most powerful. */
export const roles = ['author', 'editor', 'developer', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Checks whether a text names a role. */
export function isRole(text: unknown): text is Role {
  return roles.some((role) => role === text);
}

/** Checks whether a role may do what another one may. */
export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** Requires a role of a user. Errors: forbidden. */
export function assertRole(user: { readonly email: string; readonly role: Role }, needed: Role): void {
  if (includesRole(user.role, needed)) return;
  throw forbidden(`This needs the role ${needed}, and ${user.email} has the role ${user.role}`);
}
