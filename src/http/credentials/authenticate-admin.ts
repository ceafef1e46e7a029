/**
 * Authenticates requests to the admin API: a user by the session cookie, or an API client with the scope `admin` by its headers.
 *
 * Browsers send cookies by themselves, so a request with a cookie that may change something must also contain the CSRF token of the
 * session.
 */
import type { Authenticator } from '../../access/authenticator.ts';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import { assertCsrfToken, type Session, type Sessions } from '../../access/users/sessions.ts';
import { unauthorized } from '../../base/errors.ts';
import { adminPath } from '../../documents/openapi-document.ts';
import type { Request } from '../request/http-request.ts';
import type { RequestLocals } from '../request/request-locals.ts';
import { requestPath } from '../request/request-path.ts';
import {
  authenticateClient,
  findTokenClient,
  hasClientCredentials,
  hasClientHeaders,
} from './authenticate-client.ts';
import { readBegunSignIns, readDeviceToken, readSessionToken } from './session-cookie.ts';

/** The sender of a request; `anonymous` is a sender without a session who is signing in or accepts an invitation. */
export type Principal =
  | { readonly kind: 'user'; readonly session: Session; readonly token: string }
  | { readonly kind: 'client'; readonly client: ApiClient }
  | { readonly kind: 'anonymous' };

/**
 * The sender, as the handlers of the admin API receive it. `isSecure` says that the request used https; `address` is the network
 * address of the client behind trusted proxies.
 */
export interface AdminSender {
  readonly principal: Principal;
  readonly isSecure: boolean;
  readonly address: string | undefined;
  /** The token of a device from which a user signed in before. */
  readonly deviceToken: string | undefined;
  /** The sign-ins by OpenID Connect that the browser has begun, encrypted. */
  readonly begunSignIns: string | undefined;
}

/** Creates the authentication of the admin API. Errors: unauthorized, forbidden, too_many_attempts. */
export function authenticateAdmins({
  authenticator,
  sessions,
}: {
  authenticator: Authenticator;
  sessions: Sessions;
}): (request: Request, locals: RequestLocals) => Promise<AdminSender> {
  async function findPrincipal(request: Request, locals: RequestLocals): Promise<Principal> {
    if (isOpen(request)) return { kind: 'anonymous' };
    const token = hasClientHeaders(request) ? undefined : readSessionToken(request);
    const session = token === undefined ? undefined : await sessions.find(token);
    const client = await findClient(request, locals, session !== undefined);
    if (client) {
      locals.client = client;
      assertScope(client, 'admin');
      return { kind: 'client', client };
    }
    if (token === undefined || !session)
      throw unauthorized('Sign in, or send the credentials of an API client');
    locals.user = session.user;
    if (!isSafe(request)) assertCsrfToken(session, request.headers['x-csrf-token']?.toString());
    return { kind: 'user', session, token };
  }

  async function findClient(
    request: Request,
    locals: RequestLocals,
    hasSession: boolean,
  ): Promise<ApiClient | undefined> {
    if (hasSession) return findTokenClient(authenticator, request, locals);
    return hasClientCredentials(request) ? authenticateClient(authenticator, request, locals) : undefined;
  }

  return async (request, locals) => ({
    principal: await findPrincipal(request, locals),
    isSecure: isSecure(request),
    address: locals.clientAddress,
    deviceToken: readDeviceToken(request),
    begunSignIns: readBegunSignIns(request),
  });
}

/** The paths where a person without a session signs in or sends the token of an invitation. */
const openPaths = [
  '/session',
  '/session/openid-connect',
  '/session/openid-connect/callback',
  '/invitation/check',
  '/invitation/accept',
].map((path) => adminPath + path);
const methodsPath = `${adminPath}/sign-in-methods`;

/**
 * Only these requests need no credentials. Other sites cannot forge those that change something, because they cannot send their JSON
 * bodies.
 */
function isOpen(request: Request): boolean {
  const path = requestPath(request);
  return request.method === 'POST' ? openPaths.includes(path) : isSafe(request) && path === methodsPath;
}

function isSafe({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Believes `X-Forwarded-Proto` from anybody: a false value only keeps the sender's own cookie from connections without TLS. */
function isSecure({ socket, headers }: Request): boolean {
  const [first] = (headers['x-forwarded-proto']?.toString() ?? '').split(',', 1);
  return 'encrypted' in socket || first?.trim() === 'https';
}
