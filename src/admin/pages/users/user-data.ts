/**
 * Reads the users and changes them.
 */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { admin, adminFor, answer, type Role, sessionKeeper } from '../../api.ts';

/** All users, as `{ items }`. */
export const userList = queryOptions({
  queryKey: ['users'],
  queryFn: ({ meta }) => answer(adminFor(meta).listUsers()),
});

/** A change of a user; absent members stay as they are. */
export interface UserChange {
  readonly role?: Role;
  readonly disabled?: boolean;
}

/** The actions on users. Errors: ApiProblem. */
export function useUserChanges() {
  const client = useQueryClient();

  async function done<Data>(call: Promise<Data>): Promise<Data> {
    try {
      return await call;
    } finally {
      await client.invalidateQueries({ queryKey: userList.queryKey });
      // The change may be one of the own user.
      void sessionKeeper.refresh();
    }
  }

  return {
    invite: (body: { email: string; role: Role }) => done(answer(admin.inviteUser({ body }))),
    renew: (id: string) => done(answer(admin.renewInvitation({ path: { id } }))),
    update: (id: string, body: UserChange) => done(answer(admin.updateUser({ path: { id }, body }))),
    remove: (id: string) => done(answer(admin.deleteUser({ path: { id } }))),
  };
}
