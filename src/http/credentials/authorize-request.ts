/**
 * Admits requests to GraphQL endpoints and mapped routes, by credentials from their headers or their query strings.
 */
import type { Request, Response } from 'express';
import type { Authenticator } from '../../access/authenticator.ts';
import { type Access, assertEndpoint, type Credentials } from '../../access/endpoint-access.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import { signalOf } from '../request/client-disconnect.ts';
import type { RequestLocals } from '../request/request-locals.ts';
import { readBearerToken } from './authenticate-client.ts';

/** The credentials by the names they have in a query string, each with its header. */
const places = { clientId: 'x-client-id', clientSecret: 'x-client-secret', apiKey: 'x-api-key' } as const;

/** The headers on which an answer depends that is not for anyone. */
export const credentialHeaders = 'Authorization, X-Client-Id, X-Client-Secret, X-API-Key';

/**
 * Lets a request to an endpoint in, and notes whose it is; where anyone may come, nobody is asked.
 *
 * Errors: unauthorized, forbidden, invalid_parameter when a credential is given twice and not the same.
 */
export function authorizeRequest(
  request: Request,
  response: Response,
  { access, endpointId, authenticator }: { access: Access; endpointId: string; authenticator: Authenticator },
): Caller {
  const signal = signalOf(response);
  if (access === 'ANYONE') return { signal };
  const client = authenticator.identify(access, readCredentials(request));
  (response.locals as RequestLocals).client = client;
  assertEndpoint(client, endpointId);
  return { ...client, signal };
}

function readCredentials(request: Request): Credentials {
  // Most callers use headers, and a query string is long to parse.
  const query = /apiKey|clientId|clientSecret/.test(request.url) ? request.query : {};
  const read = (name: keyof typeof places): Credentials => {
    const header = request.headers[places[name]];
    const given = [header, query[name]].flat().filter((text) => typeof text === 'string');
    if (new Set(given).size > 1) throw invalidParameter(name, 'is given twice');
    const [text] = given;
    return text === undefined ? {} : { [name]: text };
  };
  const token = readBearerToken(request);
  return {
    ...read('clientId'),
    ...read('clientSecret'),
    ...read('apiKey'),
    ...(token === undefined ? {} : { token }),
  };
}
