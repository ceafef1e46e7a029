/**
 * The cookies of a signed-in user: one carries the session, one marks the device as known for the next sign-in. No script can
 * read them, and other sites cannot send them with a request that changes something.
 */
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { deviceMs } from '../../access/users/known-devices.ts';
import { sessionMs } from '../../access/users/sessions.ts';

const sessionCookie = 'colophon_session';
const deviceCookie = 'colophon_device';

/** The token of the session in a request's cookies. */
export function readSessionToken(request: Request): string | undefined {
  return readCookie(request, sessionCookie);
}

/** The token of the device in a request's cookies. */
export function readDeviceToken(request: Request): string | undefined {
  return readCookie(request, deviceCookie);
}

function readCookie({ headers }: Request, name: string): string | undefined {
  return parseCookie(headers.cookie ?? '')[name];
}

/** The `Set-Cookie` that has a browser keep a token for as long as its session lasts; `isSecure` says that it came by https. */
export function toSessionCookie({ token, isSecure }: { token: string; isSecure: boolean }): string {
  return setCookie(sessionCookie, token, { maxAgeSeconds: sessionMs / 1000, isSecure });
}

/** The `Set-Cookie` that has a browser keep the token of its device. */
export function toDeviceCookie({ token, isSecure }: { token: string; isSecure: boolean }): string {
  return setCookie(deviceCookie, token, { maxAgeSeconds: deviceMs / 1000, isSecure });
}

/** The `Set-Cookie` that has a browser forget its token. */
export function toEndedCookie({ isSecure }: { isSecure: boolean }): string {
  return setCookie(sessionCookie, '', { maxAgeSeconds: 0, isSecure });
}

function setCookie(
  name: string,
  value: string,
  { maxAgeSeconds, isSecure }: { maxAgeSeconds: number; isSecure: boolean },
): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
}
