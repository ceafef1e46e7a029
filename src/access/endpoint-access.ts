/**
 * Who may use a GraphQL endpoint, or a REST endpoint mapped onto it. The authenticator finds out who sends a request.
 */
import { forbidden } from '../base/errors.ts';
import type { ApiClient } from './clients/api-client.ts';
import { assertScope } from './clients/scopes.ts';

/** What an endpoint requires: nothing, an API key, or a client ID with its secret (which also serve instead of a key). */
export const accesses = ['ANYONE', 'API_KEY', 'CLIENT_CREDENTIALS'] as const;
export type Access = (typeof accesses)[number];

/** The credentials of a request. */
export interface Credentials {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The token of `Authorization: Bearer`; used only without a client ID and secret. */
  readonly token?: string | undefined;
  /** The network address of the sender, if known. */
  readonly address?: string | undefined;
}

/**
 * Requires that a client may use a GraphQL endpoint, directly or by a mapped route.
 *
 * Errors: forbidden when the client lacks the scope, or is restricted to other endpoints.
 */
export function assertEndpoint(client: ApiClient, endpointId: string): void {
  assertScope(client, 'graphql');
  if (client.endpoints && !client.endpoints.includes(endpointId)) {
    throw forbidden(`API client ${client.clientId} may use other GraphQL endpoints only`);
  }
}
