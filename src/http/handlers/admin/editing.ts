/**
 * The handler of reports that a user has an asset open.
 */

import type * as api from '../../../../generated/server/admin.ts';
import { type SavedView, type SavedViews, userKey, type ViewUser } from '../../../access/saved-views.ts';
import type { Presence } from '../../../access/users/presence.ts';
import { notFound, unauthorized } from '../../../base/errors.ts';
import { isUuid } from '../../../base/uuid.ts';
import type { ContentService } from '../../../content/content-service.ts';
import { adminPath } from '../../../documents/openapi-document.ts';
import type { Principal } from '../../credentials/authenticate-admin.ts';
import { contentFor, namingRelease } from '../cma-reads.ts';
import { type AdminHandlers, administrator, noContent, ok } from './responses.ts';

/** Creates the handler. */
export function createPresenceHandlers({
  content,
  presence,
}: {
  content: ContentService;
  presence: Presence;
}): Pick<AdminHandlers, 'reportPresence'> {
  return {
    reportPresence: namingRelease(async ({ path: { id }, query, principal, body: { state } }) => {
      const user = senderOf(principal);
      if (!isUuid(id)) throw notFound(id);
      const asset = id.toLowerCase();
      const assertExists = () => contentFor(content, query).get(asset, administrator);
      const others = await presence.report({ asset, user, state, assertExists });
      return ok({ others: [...others] });
    }),
  };
}

function senderOf(principal: Principal) {
  switch (principal.kind) {
    case 'user': {
      const { id, name, email } = principal.session.user;
      return { id, name: name ?? email };
    }
    case 'client':
      return { id: principal.client.clientId, name: principal.client.name };
    case 'anonymous':
      throw unauthorized('Credentials are needed');
  }
}

export function createSavedViewHandlers(
  views: SavedViews,
): Pick<AdminHandlers, 'listViews' | 'createView' | 'getView' | 'updateView' | 'deleteView'> {
  return {
    async listViews({ query: { type }, principal }) {
      return ok({ items: (await views.list(userOf(principal), type)).map(toResource) });
    },
    async createView({ body, principal }) {
      const created = await views.create(userOf(principal), body);
      const headers = { Location: `${adminPath}/views/${created.id}` };
      return { status: 201, body: toResource(created), headers };
    },
    async getView({ path, principal }) {
      return ok(toResource(await views.get(userOf(principal), path.id)));
    },
    async updateView({ path, body, principal }) {
      return ok(toResource(await views.update(userOf(principal), path.id, body)));
    },
    async deleteView({ path, principal }) {
      await views.delete(userOf(principal), path.id);
      return noContent;
    },
  };
}

const toResource = ({ columns, ...view }: SavedView): api.SavedView => ({
  ...view,
  ...(columns && { columns: [...columns] }),
});

/** An API client with the scope `admin` may do all that an administrator may. */
function userOf(principal: Principal): ViewUser {
  switch (principal.kind) {
    case 'user': {
      const { id, email, role } = principal.session.user;
      return { key: userKey(id), name: email, role };
    }
    case 'client': {
      const { clientId, name } = principal.client;
      return { key: `client:${clientId}`, name, role: 'admin' };
    }
    case 'anonymous':
      throw unauthorized('Credentials are needed');
  }
}
