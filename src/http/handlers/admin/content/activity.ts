/**
 * The handler of the activity: who has changed which content, for editors.
 */
import type { Activity } from '../../../../../generated/server/admin.ts';
import type { ActivityItem, ActivityReader } from '../../../../access/audit/activity.ts';
import type { Actor } from '../../../../base/request-origin.ts';
import type { Principal } from '../../../credentials/authenticate-admin.ts';
import { type AdminHandlers, administrator, ok } from '../responses.ts';

const defaultListed = 50;

/** Creates the handler. */
export function createActivityHandlers(activity: ActivityReader): Pick<AdminHandlers, 'listActivity'> {
  return {
    async listActivity({ query: { user, limit = defaultListed, ...query }, principal, signal }) {
      const is = user === 'me' ? 'me' : 'others';
      const by = user === undefined ? {} : { sender: { is, by: actorOf(principal) } as const };
      const page = await activity({ ...query, ...by, limit: Number(limit) }, { ...administrator, signal });
      return ok({ ...page, items: page.items.map(toResource) });
    },
  };
}

function toResource({ atMs, asset, type, ...item }: ActivityItem): Activity {
  return { ...item, at: atMs, _id: asset, _type: type };
}

/** The sender as the change log names it. */
function actorOf(principal: Principal): Pick<Actor, 'kind' | 'id'> {
  switch (principal.kind) {
    case 'user':
      return { kind: 'user', id: principal.session.user.id };
    case 'client':
      return { kind: 'client', id: principal.client.clientId };
    case 'anonymous':
      return { kind: 'anonymous' };
  }
}
