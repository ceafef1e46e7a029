/**
 * The handlers for signing in, reading the session, and signing out.
 */
import type { Session as SessionResource } from '../../../../generated/server/admin.ts';
import type { Session, Sessions } from '../../../access/users/sessions.ts';
import { forbidden } from '../../../base/errors.ts';
import type { Principal } from '../../credentials/authenticate-admin.ts';
import { toDeviceCookie, toExpiredCookie, toSessionCookie } from '../../credentials/session-cookie.ts';
import { type AdminHandlers, noContent, ok } from './responses.ts';

/** Creates the handlers. `basePath` is the path of the public URL. */
export function createSessionHandlers({
  sessions,
  basePath,
}: {
  sessions: Sessions;
  basePath: string;
}): Pick<AdminHandlers, 'signIn' | 'getSession' | 'signOut'> {
  return {
    async signIn({ body, isSecure, address, deviceToken }) {
      const { token, session, ...started } = await sessions.signIn({ ...body, address, deviceToken });
      const device = started.deviceToken;
      const cookies = [
        toSessionCookie({ token, isSecure, basePath }),
        ...(device === undefined ? [] : [toDeviceCookie({ token: device, isSecure, basePath })]),
      ];
      return { ...ok(toResource(session)), headers: { 'Set-Cookie': cookies } };
    },

    async getSession({ principal }) {
      return ok(toResource(sessionOf(principal).session));
    },

    async signOut({ principal, isSecure }) {
      await sessions.signOut(sessionOf(principal).token);
      return { ...noContent, headers: { 'Set-Cookie': toExpiredCookie({ isSecure, basePath }) } };
    },
  };
}

function sessionOf(principal: Principal): Extract<Principal, { kind: 'user' }> {
  if (principal.kind !== 'user') throw forbidden('Only a signed-in user has a session');
  return principal;
}

function toResource({ user: { id, email }, csrfToken, expiresAtMs }: Session): SessionResource {
  return { user: { id, email }, csrfToken, expiresAt: expiresAtMs };
}
