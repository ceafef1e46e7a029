/**
 * Authorizes requests to GraphQL endpoints and mapped routes, by credentials in their headers or query strings.
 */
import type { Authenticator } from '../../access/authenticator.ts';
import { type Access, assertEndpoint, type Credentials } from '../../access/endpoint-access.ts';
import type { AuthenticatedClient } from '../../access/known-clients.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { Request, Response } from '../request/http-request.ts';
import { parseQuery } from '../request/parse-query.ts';
import type { RequestLocals } from '../request/request-locals.ts';
import { queryText } from '../request/request-path.ts';
import { readBearerToken } from './authenticate-client.ts';

/** The client of a request, as far as it restricts what the request reads. */
export type AuthorizedClient = Omit<Caller, 'signal'>;

/** The credentials: the name of each in a query string, and its header. */
const headerNames = {
  clientId: 'x-client-id',
  clientSecret: 'x-client-secret',
  apiKey: 'x-api-key',
} as const;

/** The value of `Vary` for responses that depend on credentials. */
export const credentialHeaders = 'Authorization, X-Client-Id, X-Client-Secret, X-API-Key';

/**
 * Authorizes a request to an endpoint and records its API client for the log. With the access `ANYONE`, credentials are not read.
 *
 * Errors: unauthorized, too_many_attempts, forbidden, invalid_parameter when a credential is given twice with different values.
 */
export async function authorizeRequest(
  request: Request,
  response: Response,
  { access, endpointId, authenticator }: { access: Access; endpointId: string; authenticator: Authenticator },
): Promise<AuthorizedClient> {
  if (access === 'ANYONE') return {};
  const client = await identify(request, response, { access, authenticator });
  assertEndpoint(client, endpointId);
  return client;
}

/** Authenticates the client of a request to an endpoint that needs none. Errors: unauthorized, too_many_attempts, invalid_parameter. */
export const identifyAnyClient = (request: Request, response: Response, authenticator: Authenticator) =>
  identify(request, response, { access: 'API_KEY', authenticator });

async function identify(
  request: Request,
  response: Response,
  { access, authenticator }: { access: Exclude<Access, 'ANYONE'>; authenticator: Authenticator },
): Promise<AuthenticatedClient> {
  // The application sets the locals.
  const locals = response.locals as RequestLocals;
  const client = await authenticator.identify(access, {
    ...readCredentials(request),
    address: locals.clientAddress,
  });
  locals.client = client;
  return client;
}

function readCredentials(request: Request): Credentials {
  const text = queryText(request);
  // Most callers use headers, and parsing a query string takes time.
  const query = /apiKey|clientId|clientSecret/.test(text) ? parseQuery(text) : undefined;
  const read = (name: keyof typeof headerNames): string | undefined => {
    const header = request.headers[headerNames[name]];
    if (!query) return header?.toString();
    const given = [header, query[name]].flat().filter((text) => typeof text === 'string');
    if (new Set(given).size > 1) throw invalidParameter(name, 'is given twice, with different values');
    return given[0];
  };
  return {
    clientId: read('clientId'),
    clientSecret: read('clientSecret'),
    apiKey: read('apiKey'),
    token: readBearerToken(request),
  };
}
