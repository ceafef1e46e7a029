/**
 * Who may use a GraphQL endpoint, or a REST endpoint mapped onto it. Telling who somebody is, is the authenticator's.
 */
import { forbidden } from '../base/errors.ts';
import type { ApiClient } from './clients/api-client.ts';
import { assertScope } from './clients/scopes.ts';

/** What an endpoint asks of its callers: nothing, an API key, or a client ID with its secret (which do for a key as well). */
export const accesses = ['ANYONE', 'API_KEY', 'CLIENT_CREDENTIALS'] as const;
export type Access = (typeof accesses)[number];

/** What a request says of who sends it. */
export interface Credentials {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly apiKey?: string;
  /** What `Authorization: Bearer` brings; counts only without a client ID and secret. */
  readonly token?: string;
}

/** Errors: forbidden when the client lacks the scope, or is held to other endpoints. `endpointId` is that of the GraphQL endpoint, for a mapped route too. */
export function assertEndpoint(client: ApiClient, endpointId: string): void {
  assertScope(client, 'graphql');
  if (client.endpoints && !client.endpoints.includes(endpointId)) {
    throw forbidden(`API client ${client.clientId} may use other GraphQL endpoints only`);
  }
}
