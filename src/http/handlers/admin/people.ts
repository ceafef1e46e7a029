/**
 * The handlers for signing in and out, and for the password and the sessions of the signed-in user.
 */

import type * as api from '../../../../generated/server/admin.ts';
import type { Session as SessionResource } from '../../../../generated/server/admin.ts';
import type { OpenidSignIn } from '../../../access/openid/openid-sign-in.ts';
import type { Invitation, Invitations } from '../../../access/users/invitations.ts';
import type { ListedSession, Session, SessionOwner, Sessions } from '../../../access/users/sessions.ts';
import { signInMethodOf, stateOf } from '../../../access/users/user-record.ts';
import type { User, Users } from '../../../access/users/users.ts';
import { forbidden, notFound } from '../../../base/errors.ts';
import { adminPath } from '../../../documents/openapi-document.ts';
import {
  type Principal,
  toBegunCookie,
  toDeviceCookie,
  toExpiredCookie,
  toSessionCookie,
} from '../../credentials/authenticate-admin.ts';
import { type AdminHandlers, noContent, ok } from './responses.ts';

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
function toSessionResource(
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

/** Creates the handlers. `basePath` is the path of the public URL. */
export function createSignInMethodHandlers({
  openidSignIn,
  basePath,
  erasesDeletions,
}: {
  openidSignIn: OpenidSignIn;
  basePath: string;
  erasesDeletions: boolean;
}): Pick<AdminHandlers, 'listSignInMethods' | 'beginOpenidSignIn' | 'finishOpenidSignIn'> {
  return {
    async listSignInMethods() {
      const { label } = openidSignIn;
      const openid = label === undefined ? [] : [{ method: 'openid-connect', label } as const];
      return ok({ items: [{ method: 'password' } as const, ...openid] });
    },

    async beginOpenidSignIn({ body: { returnTo }, begunSignIns, isSecure }) {
      const { location, sealed } = await openidSignIn.begin({ returnTo, sealed: begunSignIns });
      return {
        ...ok({ location }),
        headers: { 'Set-Cookie': toBegunCookie({ sealed, isSecure, basePath }) },
      };
    },

    async finishOpenidSignIn({ body: { query }, begunSignIns, isSecure, address, senderFields }) {
      const { userAgent } = senderFields;
      const returned = { query, sealed: begunSignIns, address, userAgent };
      const { token, session, returnTo, sealed } = await openidSignIn.finish(returned);
      const cookies = [
        toSessionCookie({ token, isSecure, basePath }),
        toBegunCookie({ sealed, isSecure, basePath }),
      ];
      const resource = toSessionResource(session, erasesDeletions);
      return { ...ok({ ...resource, returnTo }), headers: { 'Set-Cookie': cookies } };
    },
  };
}

/** The operations of users and invitations. */
type HandledOfUsers =
  | 'listUsers'
  | 'inviteUser'
  | 'getUser'
  | 'updateUser'
  | 'replaceUser'
  | 'deleteUser'
  | 'renewInvitation'
  | 'checkInvitation'
  | 'acceptInvitation';

/** The page of the admin UI that a link opens. */
const invitationPage = '/admin/invitation';

/** Creates the handlers. `basePath` is the path of the public URL. */
export function createUserHandlers({
  users,
  invitations,
  basePath,
}: {
  users: Users;
  invitations: Invitations;
  basePath: string;
}): Pick<AdminHandlers, HandledOfUsers> {
  function toResource({ user, token, expiresAtMs }: Invitation): api.UserInvitation {
    const path = `${basePath}${invitationPage}#${token}`;
    return { id: user.id, user: toListedUser(user), token, path, expiresAt: expiresAtMs };
  }

  async function update(id: string, { role, disabled }: api.UserUpdate) {
    const changes = {
      ...(role === undefined ? {} : { role }),
      ...(disabled === undefined ? {} : { isDisabled: disabled }),
    };
    return ok(toListedUser(await users.update(id, changes)));
  }

  return {
    async listUsers() {
      const all = (await users.list()).toSorted((one, other) => (one.email < other.email ? -1 : 1));
      return ok({ items: all.map(toListedUser) });
    },

    async inviteUser({ body }) {
      const invited = toResource(await invitations.invite(body));
      return { status: 201, body: invited, headers: { Location: `${adminPath}/users/${invited.id}` } };
    },

    async getUser({ path }) {
      const user = await users.find(path.id);
      if (!user) throw notFound(path.id, 'user');
      return ok(toListedUser(user));
    },

    updateUser: ({ path, body }) => update(path.id, body),

    replaceUser: ({ path, body }) => update(path.id, body),

    async deleteUser({ path }) {
      await users.delete(path.id);
      return noContent;
    },

    async renewInvitation({ path }) {
      return ok(toResource(await invitations.renew(path.id)));
    },

    async checkInvitation({ body }) {
      const { email, role, invitedUntilMs } = await invitations.check(body.token);
      return ok({ email, role, expiresAt: invitedUntilMs ?? 0 });
    },

    async acceptInvitation({ body }) {
      return ok(toUserResource(await invitations.accept(body)));
    },
  };
}

/** A user who is signed in, or is about to be. */
function toUserResource(user: User): api.User {
  const { id, email, name, role } = user;
  return { id, email, ...(name === undefined ? {} : { name }), role, signInMethod: signInMethodOf(user) };
}

/** A user in the list of all users. */
function toListedUser(user: User): api.ListedUser {
  const { disabledAtMs, invitedUntilMs } = user;
  return {
    ...toUserResource(user),
    state: stateOf(user),
    ...(disabledAtMs === undefined ? {} : { disabledAt: disabledAtMs }),
    ...(invitedUntilMs === undefined ? {} : { invitedUntil: invitedUntilMs }),
  };
}
