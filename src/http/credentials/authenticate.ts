/**
 * Finds the API client that sends a request, by the headers of the request.
 */

import type { AuthenticatedClient, Authenticator } from '../../access/authenticator.ts';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import { type Access, assertEndpoint, type Credentials } from '../../access/endpoint-access.ts';
import type { PreviewLinks } from '../../access/preview-links.ts';
import { invalidParameter, notFound } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import { isReleaseName } from '../../content/drafts/draft.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { PreparedOperation } from '../../graphql/operation.ts';
import type { Request, RequestLocals, Response } from '../request/request-head.ts';
import { parseQuery, queryText } from '../request/request-head.ts';
import { addHeader } from '../response/send-response.ts';

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
function readBearerToken({ headers }: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

/** The client of a request, as far as it restricts what the request reads. */
type AuthorizedClient = Omit<Caller, 'signal'>;

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
const identifyAnyClient = (request: Request, response: Response, authenticator: Authenticator) =>
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

// Chooses the content that a request to a GraphQL endpoint or a mapped route reads: the live content, or that of a release. A request
// names a release by `release`, for which its API client needs a scope, or by `preview`, the token of a preview link.

/** The services that know releases and who may read them. */
export interface ReleaseServices {
  readonly authenticator: Authenticator;
  readonly previewLinks: Pick<PreviewLinks, 'releaseOf'>;
  readonly content: Pick<ContentService, 'inRelease'>;
}

/** An endpoint, and its client as it was authorized. */
interface AuthorizedRequest {
  readonly access: Access;
  /** Whether the endpoint serves the content of releases. */
  readonly preview: boolean;
  readonly client: AuthorizedClient;
}

/**
 * Returns who reads, and in which release.
 *
 * Errors: invalid_parameter; unauthorized for a preview link that has ended, and without credentials for `release`; forbidden without the
 * scope cma:draft; not_found for a release that does not exist; not_supported.
 */
export async function chooseRelease(
  request: Request,
  response: Response,
  { access, preview, client, services }: AuthorizedRequest & { readonly services: ReleaseServices },
): Promise<AuthorizedClient> {
  const text = queryText(request);
  if (!preview || !/release|preview|%/.test(text)) return client;
  const { release, preview: token } = parseQuery(text);
  if (release === undefined && token === undefined) return client;
  if (release !== undefined && token !== undefined)
    throw invalidParameter('preview', 'cannot be combined with "release"');
  const parameter = token === undefined ? 'release' : 'preview';
  const value = token ?? release;
  if (typeof value !== 'string') throw invalidParameter(parameter, 'must be given once');
  const { authenticator, previewLinks, content } = services;
  // The application sets the locals.
  const locals = response.locals as RequestLocals;
  locals.releaseParameter = parameter;
  let reader = client;
  if (parameter === 'release') {
    const named =
      access === 'ANYONE' ? await identifyAnyClient(request, response, authenticator) : locals.client;
    if (!named) throw new Error('The request has no client');
    assertScope(named, 'cma:draft');
    reader = named;
  }
  const name = parameter === 'preview' ? await previewLinks.releaseOf(value) : value;
  if (!isReleaseName(name)) throw notFound(name, 'release');
  await content.inRelease(name, reader).state();
  addHeader(response, 'X-Release', name);
  return { ...reader, release: name };
}

/** Refuses a mutation in a release. Errors: invalid_parameter. */
export function assertReadsRelease({ locals }: Response, { kind }: Pick<PreparedOperation, 'kind'>): void {
  const { releaseParameter } = locals as RequestLocals;
  if (kind === 'mutation' && releaseParameter !== undefined)
    throw invalidParameter(releaseParameter, 'is for queries: mutations change live content');
}

/** Returns the `Cache-Control` of a response that nobody keeps. */
export const uncached = ({ locals }: Response): string =>
  (locals as RequestLocals).releaseParameter === undefined ? 'no-store' : 'private, no-store';
