/**
 * Scopes: what an API client may do.
 */
import { forbidden } from '../../base/errors.ts';

/** Every scope there is. */
export const scopes = ['cma:read', 'cma:write', 'graphql', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Whether a text names a scope. */
export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}

/** Errors: forbidden when the client lacks the scope. */
export function assertScope(
  client: { readonly clientId: string; readonly scopes: readonly Scope[] },
  scope: Scope,
): void {
  if (!client.scopes.includes(scope)) {
    throw forbidden(`API client ${client.clientId} lacks the scope ${scope}`);
  }
}
