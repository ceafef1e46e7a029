/**
 * Users as the admin API shows them.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import { signInMethodOf, stateOf } from '../../../../access/users/user-record.ts';
import type { User } from '../../../../access/users/users.ts';

/** A user who is signed in, or is about to be. */
export function toUserResource(user: User): api.User {
  const { id, email, name, role } = user;
  return { id, email, ...(name === undefined ? {} : { name }), role, signInMethod: signInMethodOf(user) };
}

/** A user in the list of all users. */
export function toListedUser(user: User): api.ListedUser {
  const { disabledAtMs, invitedUntilMs } = user;
  return {
    ...toUserResource(user),
    state: stateOf(user),
    ...(disabledAtMs === undefined ? {} : { disabledAt: disabledAtMs }),
    ...(invitedUntilMs === undefined ? {} : { invitedUntil: invitedUntilMs }),
  };
}
