/**
 * Tells from a request's headers which API client sends it.
 */
import type { Request } from 'express';
import type { ApiClient } from '../access/api-clients.ts';
import type { Authenticator } from '../access/authenticator.ts';
import type { Identity } from './api.ts';

/** Makes the authentication of an API that clients alone may use. Errors: unauthorized. */
export function authenticateClients(
  authenticator: Authenticator,
): (request: Request) => Identity<{ readonly client: ApiClient }> {
  return (request) => {
    const client = authenticateClient(authenticator, request);
    return { client, sender: { client } };
  };
}

/** The API client whose ID and secret the headers hold. Errors: unauthorized. */
export function authenticateClient(authenticator: Authenticator, { headers }: Request): ApiClient {
  const { 'x-client-id': id, 'x-client-secret': secret } = headers;
  return authenticator.authenticate(id?.toString(), secret?.toString());
}
