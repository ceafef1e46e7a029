/**
 * The cookies of a user: one carries the session, one marks the device as known for the next sign-in, one has the sign-ins by OpenID
 * Connect that were begun. No script can read them, and other sites cannot send them with a request that changes something.
 */
import { parseCookie } from 'cookie';
import { signInMs } from '../../access/openid/begun-sign-ins.ts';
import { deviceMs } from '../../access/users/known-devices.ts';
import { sessionMs } from '../../access/users/sessions.ts';
import { adminPath } from '../../documents/openapi-document.ts';
import type { Request } from '../request/http-request.ts';

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
export function readDeviceToken(request: Request): string | undefined {
  return readCookie(request, deviceCookie);
}

/** Reads the sign-ins by OpenID Connect that this browser has begun, as `BegunSignIns` has encrypted them. */
export function readBegunSignIns(request: Request): string | undefined {
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
