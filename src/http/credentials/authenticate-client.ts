/**
 * Finds the API client that sends a request, by the headers of the request.
 */
import type { Authenticator } from '../../access/authenticator.ts';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import type { Request } from '../request/http-request.ts';
import type { RequestLocals } from '../request/request-locals.ts';

/** Creates the authentication of an API that only API clients may use. Errors: unauthorized. */
export function authenticateClients(
  authenticator: Authenticator,
): (request: Request, locals: RequestLocals) => Promise<{ readonly client: ApiClient }> {
  return async (request, locals) => {
    const client = await authenticateClient(authenticator, request, locals);
    locals.client = client;
    return { client };
  };
}

/** Returns the API client whose credentials the headers contain. Errors: unauthorized, too_many_attempts. */
export async function authenticateClient(
  authenticator: Authenticator,
  request: Request,
  locals: Pick<RequestLocals, 'clientAddress'>,
): Promise<ApiClient> {
  const { 'x-client-id': id, 'x-client-secret': secret } = request.headers;
  const address = locals.clientAddress;
  const token = hasClientHeaders(request) ? undefined : readBearerToken(request);
  if (token !== undefined) return authenticator.authenticateToken(token, address);
  return authenticator.authenticate({
    clientId: id?.toString(),
    clientSecret: secret?.toString(),
    address,
  });
}

/** Tells whether a request has the two headers or a bearer token. */
export const hasClientCredentials = (request: Request): boolean =>
  hasClientHeaders(request) || readBearerToken(request) !== undefined;

/** Tells whether one of the two headers is present; then they take precedence over Authorization. */
export function hasClientHeaders({ headers }: Request): boolean {
  return headers['x-client-id'] !== undefined || headers['x-client-secret'] !== undefined;
}

/**
 * Finds the API client of a bearer token beside other credentials; `undefined` without a token that names one. Errors: unauthorized,
 * too_many_attempts.
 */
export async function findTokenClient(
  authenticator: Authenticator,
  request: Request,
  { clientAddress }: Pick<RequestLocals, 'clientAddress'>,
): Promise<ApiClient | undefined> {
  const token = readBearerToken(request);
  return token === undefined ? undefined : authenticator.findByToken(token, clientAddress);
}

/** Reads the token of `Authorization: Bearer`. Other schemes are ignored, because they may be meant for a proxy. */
export function readBearerToken({ headers }: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}
