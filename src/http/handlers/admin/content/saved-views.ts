/**
 * The handlers of saved views.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import { type SavedView, type SavedViews, userKey, type ViewUser } from '../../../../access/saved-views.ts';
import { unauthorized } from '../../../../base/errors.ts';
import { adminPath } from '../../../../documents/openapi-document.ts';
import type { Principal } from '../../../credentials/authenticate-admin.ts';
import { type AdminHandlers, noContent, ok } from '../responses.ts';

/** Creates the handlers. */
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
