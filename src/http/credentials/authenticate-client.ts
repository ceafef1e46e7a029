/**
 * Tells from a request's headers which API client sends it.
 */
import type { Request } from 'express';
import type { Authenticator } from '../../access/authenticator.ts';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import type { RequestLocals } from '../request/request-locals.ts';

/** Makes the authentication of an API that clients alone may use. Errors: unauthorized. */
export function authenticateClients(
  authenticator: Authenticator,
): (request: Request, locals: RequestLocals) => { readonly client: ApiClient } {
  return (request, locals) => {
    const client = authenticateClient(authenticator, request);
    locals.client = client;
    return { client };
  };
}

/** The API client whose ID and secret the headers hold. Errors: unauthorized. */
export function authenticateClient(authenticator: Authenticator, request: Request): ApiClient {
  const { 'x-client-id': id, 'x-client-secret': secret } = request.headers;
  const client = hasClientHeaders(request) ? undefined : findTokenClient(authenticator, request);
  return client ?? authenticator.authenticate(id?.toString(), secret?.toString());
}

/** Whether one of the two headers is there; then they decide, whatever Authorization says. */
export function hasClientHeaders({ headers }: Request): boolean {
  return headers['x-client-id'] !== undefined || headers['x-client-secret'] !== undefined;
}

/** The API client that a bearer token names; `undefined` without one of ours. Errors: unauthorized. */
export function findTokenClient(authenticator: Authenticator, request: Request): ApiClient | undefined {
  const token = readBearerToken(request);
  return token === undefined ? undefined : authenticator.authenticateToken(token);
}

/** What `Authorization: Bearer` brings; `undefined` for any other scheme, which a proxy may have asked for. */
export function readBearerToken({ headers }: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}
