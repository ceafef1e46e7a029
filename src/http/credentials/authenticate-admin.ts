/**
 * Authenticates requests to the admin API: a user by the session cookie, or an API client with the scope `admin` by its headers.
 *
 * Browsers send cookies by themselves, so a request with a cookie that may change something must also contain the CSRF token of the
 * session.
 */

import { parseCookie } from 'cookie';
import type { Authenticator } from '../../access/authenticator.ts';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import { signInMs } from '../../access/openid/begun-sign-ins.ts';
import { assertRole, isRole, type Role } from '../../access/users/roles.ts';
import {
  assertCsrfToken,
  deviceMs,
  type Session,
  type Sessions,
  sessionMs,
} from '../../access/users/sessions.ts';
import { unauthorized } from '../../base/errors.ts';
import { adminPath, type OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Json } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { Request, RequestLocals } from '../request/request-head.ts';
import { requestPath } from '../request/request-head.ts';
import {
  authenticateClient,
  findTokenClient,
  hasClientCredentials,
  hasClientHeaders,
} from './authenticate.ts';

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

// The role that each operation of the admin API requires of a user, as its document says in `x-required-role`.
//
// Operations without the member need no user: they are those that need no credentials.

/** Requires of the sender what an operation needs, with the parameters of its query. Errors: forbidden. */
type AuthorizeOperation = (operationId: string, sender: AdminSender, query: QueryNames) => void;

type QueryNames = Readonly<Record<string, unknown>>;

/** The roles that an operation requires. */
interface RequiredRoles {
  readonly role: Role;
  /** The role that is enough with the parameter `release`, as `x-release-role` says. */
  readonly inRelease: Role;
}

/**
 * Creates the check from the document. Fails for an operation that needs credentials and names no role, so that no operation can
 * be without the check.
 */
export function authorizeByRole(document: OpenApiDocument): AuthorizeOperation {
  const table = readRequiredRoles(document);
  return (operationId, { principal }, { release }) => {
    const needed = table.get(operationId);
    // An API client was authorized by its scope.
    if (needed === undefined || principal.kind !== 'user') return;
    assertRole(principal.session.user, release === undefined ? needed.role : needed.inRelease);
  };
}

/** Returns the required roles of each operation, by operation ID. */
export function readRequiredRoles({
  paths,
}: Pick<OpenApiDocument, 'paths'>): ReadonlyMap<string, RequiredRoles> {
  const operations = Object.values(paths).flatMap(operationsOf);
  return new Map(
    operations.flatMap(({ operationId, security, 'x-required-role': role, 'x-release-role': inRelease }) => {
      if (isRole(role))
        return [[String(operationId), { role, inRelease: isRole(inRelease) ? inRelease : role }] as const];
      if (Array.isArray(security) && security.length === 0) return [];
      throw new Error(`operation ${operationId} names no role in x-required-role`);
    }),
  );
}

function operationsOf(item: Json) {
  return Object.values(isJsonObject(item) ? item : {})
    .filter(isJsonObject)
    .filter(({ operationId }) => operationId !== undefined);
}

// The cookies of a user: one carries the session, one marks the device as known for the next sign-in, one has the sign-ins by OpenID
// Connect that were begun. No script can read them, and other sites cannot send them with a request that changes something.

const sessionCookie = 'colophon_session';
const deviceCookie = 'colophon_device';
const openidCookie = 'colophon_openid';

/** The only path that needs the cookie of begun sign-ins. */
const openidPath = `${adminPath}/session/openid-connect`;

/** Reads the session token from the cookies of a request. */
export function readSessionToken(request: Request): string | undefined {
  return readCookie(request, sessionCookie);
}

/** Reads the device token from the cookies of a request. */
function readDeviceToken(request: Request): string | undefined {
  return readCookie(request, deviceCookie);
}

/** Reads the sign-ins by OpenID Connect that this browser has begun, as `BegunSignIns` has encrypted them. */
function readBegunSignIns(request: Request): string | undefined {
  return readCookie(request, openidCookie);
}

function readCookie({ headers }: Request, name: string): string | undefined {
  return parseCookie(headers.cookie ?? '')[name];
}

/** How a cookie is set. `isSecure` says that the request used https; `basePath` is the path of the public URL, or empty. */
interface CookieScope {
  readonly isSecure: boolean;
  readonly basePath: string;
}

/** Builds the `Set-Cookie` that stores a session token for as long as the session lasts. */
export function toSessionCookie({ token, ...scope }: CookieScope & { token: string }): string {
  return setCookie(sessionCookie, token, { maxAgeSeconds: sessionMs / 1000, ...scope });
}

/** Builds the `Set-Cookie` that stores a device token. */
export function toDeviceCookie({ token, ...scope }: CookieScope & { token: string }): string {
  return setCookie(deviceCookie, token, { maxAgeSeconds: deviceMs / 1000, ...scope });
}

/** Builds the `Set-Cookie` that stores the begun sign-ins. */
export function toBegunCookie({ sealed, basePath, ...scope }: CookieScope & { sealed: string }): string {
  return setCookie(openidCookie, sealed, {
    maxAgeSeconds: signInMs / 1000,
    basePath: basePath + openidPath,
    ...scope,
  });
}

/** Builds the `Set-Cookie` that deletes the session token. */
export function toExpiredCookie(scope: CookieScope): string {
  return setCookie(sessionCookie, '', { maxAgeSeconds: 0, ...scope });
}

function setCookie(
  name: string,
  value: string,
  { maxAgeSeconds, isSecure, basePath }: CookieScope & { maxAgeSeconds: number },
): string {
  const attributes = `Path=${basePath || '/'}; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
}
