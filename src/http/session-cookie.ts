/**
 * The cookie that carries a session: no script can read it, and other sites cannot send it with what changes something.
 */
import type { Request } from 'express';
import { sessionMs } from '../access/sessions.ts';

const cookieName = 'colophon_session';

/** The token in a request's cookie. */
export function readSessionToken({ headers }: Request): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookieName)?.[1];
}

/** The `Set-Cookie` that has a browser keep a token for as long as its session lasts; `isSecure` says that it came by https. */
export function toSessionCookie({ token, isSecure }: { token: string; isSecure: boolean }): string {
  return setCookie(token, { maxAgeSeconds: sessionMs / 1000, isSecure });
}

/** The `Set-Cookie` that has a browser forget its token. */
export function toEndedCookie({ isSecure }: { isSecure: boolean }): string {
  return setCookie('', { maxAgeSeconds: 0, isSecure });
}

function setCookie(
  value: string,
  { maxAgeSeconds, isSecure }: { maxAgeSeconds: number; isSecure: boolean },
): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;
  return `${cookieName}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
}
