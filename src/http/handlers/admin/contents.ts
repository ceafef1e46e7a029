/**
 * The handlers of the assets, for editors. They run the operations of the content management API as an administrator.
 */
import type { ContentService } from '../../../content/content-service.ts';
import type { ReferenceFinder } from '../../../content/reading/find-references.ts';
import { adminPath } from '../../../documents/openapi-document.ts';
import { type AdminHandlers, administrator, conditionOf, noContent, ok, okVersion } from './responses.ts';

/** The operations of the assets. */
type Handled = 'createContent' | 'getContent' | 'updateContent' | 'deleteContent' | 'listContentReferences';

const defaultListed = 10;

/** Creates the handlers. */
export function createContentHandlers(
  content: ContentService,
  findReferences: ReferenceFinder,
): Pick<AdminHandlers, Handled> {
  return {
    async createContent({ body }) {
      const { asset, version } = await content.create(body, administrator);
      const { headers } = okVersion(asset, version);
      return {
        status: 201,
        body: asset,
        headers: { ...headers, Location: `${adminPath}/contents/${asset._id}` },
      };
    },

    async getContent({ path }) {
      const { asset, version } = await content.get(path.id, administrator);
      return okVersion(asset, version);
    },

    async updateContent({ path, headers, body }) {
      const update = { id: path.id, body, ...conditionOf(headers) };
      const { asset, version } = await content.update(update, administrator);
      return okVersion(asset, version);
    },

    async deleteContent({ path, headers }) {
      await content.delete({ id: path.id, ...conditionOf(headers) }, administrator);
      return noContent;
    },

    async listContentReferences({ path, query: { limit } }) {
      const listed = limit === undefined ? defaultListed : Number(limit);
      return ok(await findReferences({ id: path.id, limit: listed }, administrator));
    },
  };
}
