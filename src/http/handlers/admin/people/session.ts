/**
 * The handlers for signing in and out, and for the password and the sessions of the signed-in user.
 */
import type { Session as SessionResource } from '../../../../../generated/server/admin.ts';
import type { ListedSession, Session, SessionOwner, Sessions } from '../../../../access/users/sessions.ts';
import { forbidden } from '../../../../base/errors.ts';
import type { Principal } from '../../../credentials/authenticate-admin.ts';
import { toDeviceCookie, toExpiredCookie, toSessionCookie } from '../../../credentials/session-cookie.ts';
import { type AdminHandlers, noContent, ok } from '../responses.ts';
import { toUserResource } from './user-resource.ts';

/** The operations of one's own session and account. */
type Handled =
  | 'signIn'
  | 'getSession'
  | 'signOut'
  | 'listOwnSessions'
  | 'endOwnSession'
  | 'endOtherSessions'
  | 'changeOwnPassword';

/** Creates the handlers. `basePath` is the path of the public URL. */
export function createSessionHandlers({
  sessions,
  basePath,
  erasesDeletions,
}: {
  sessions: Sessions;
  basePath: string;
  erasesDeletions: boolean;
}): Pick<AdminHandlers, Handled> {
  return {
    async signIn({ body, isSecure, address, deviceToken, senderFields: { userAgent } }) {
      const attempt = { ...body, address, deviceToken, userAgent };
      const { token, session, ...started } = await sessions.signIn(attempt);
      const device = started.deviceToken;
      const cookies = [
        toSessionCookie({ token, isSecure, basePath }),
        ...(device === undefined ? [] : [toDeviceCookie({ token: device, isSecure, basePath })]),
      ];
      return { ...ok(toSessionResource(session, erasesDeletions)), headers: { 'Set-Cookie': cookies } };
    },

    async getSession({ principal }) {
      return ok(toSessionResource(sessionOf(principal).session, erasesDeletions));
    },

    async signOut({ principal, isSecure }) {
      await sessions.signOut(sessionOf(principal).token);
      return { ...noContent, headers: { 'Set-Cookie': toExpiredCookie({ isSecure, basePath }) } };
    },

    async listOwnSessions({ principal }) {
      return ok({ items: (await sessions.list(ownerOf(principal))).map(toListedResource) });
    },

    async endOwnSession({ principal, path }) {
      await sessions.end(ownerOf(principal), path.id);
      return noContent;
    },

    async endOtherSessions({ principal }) {
      await sessions.endOthers(ownerOf(principal));
      return noContent;
    },

    async changeOwnPassword({ principal, body, address, deviceToken }) {
      await sessions.changePassword(ownerOf(principal), { ...body, address, deviceToken });
      return noContent;
    },
  };
}

function sessionOf(principal: Principal): Extract<Principal, { kind: 'user' }> {
  if (principal.kind !== 'user') throw forbidden('Only a signed-in user has a session');
  return principal;
}

function ownerOf(principal: Principal): SessionOwner {
  const { session, token } = sessionOf(principal);
  return { user: session.user, token };
}

/** A session as the admin API shows it. */
export function toSessionResource(
  { user, csrfToken, expiresAtMs }: Session,
  erasesDeletions: boolean,
): SessionResource {
  const session = { user: toUserResource(user), csrfToken, expiresAt: expiresAtMs };
  return { ...session, ...(erasesDeletions && { erasesDeletions }) };
}

function toListedResource({ id, beganAtMs, expiresAtMs, userAgent, isCurrent }: ListedSession) {
  return {
    id,
    beganAt: beganAtMs,
    expiresAt: expiresAtMs,
    ...(userAgent === undefined ? {} : { userAgent }),
    current: isCurrent,
  };
}
