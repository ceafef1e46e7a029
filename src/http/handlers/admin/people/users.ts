/**
 * The handlers of users and their invitations. The token of an invitation is returned only once, when it is created.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import type { Invitation, Invitations } from '../../../../access/users/invitations.ts';
import type { Users } from '../../../../access/users/users.ts';
import { notFound } from '../../../../base/errors.ts';
import { adminPath } from '../../../../documents/openapi-document.ts';
import { type AdminHandlers, noContent, ok } from '../responses.ts';
import { toListedUser, toUserResource } from './user-resource.ts';

/** The operations of users and invitations. */
type Handled =
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
}): Pick<AdminHandlers, Handled> {
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
