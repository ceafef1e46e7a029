/**
 * Scopes: what an API client may do.
 */
import { forbidden } from '../../base/errors.ts';

export const scopes = [
  'cma:read',
  'cma:write',
  'cma:draft',
  'history',
  'graphql',
  'metrics',
  'admin',
] as const;
export type Scope = (typeof scopes)[number];

/** Checks whether a text names a scope. */
export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}

/** Requires a scope of a client. Errors: forbidden. */
export function assertScope(
  client: { readonly clientId: string; readonly scopes: readonly Scope[] },
  scope: Scope,
): void {
  if (!client.scopes.includes(scope)) {
    throw forbidden(`API client ${client.clientId} lacks the scope ${scope}`);
  }
}
