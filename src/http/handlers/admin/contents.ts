/**
 * The handlers of the assets, for editors. They run the operations of the content management API as an administrator.
 */
import type { ContentService, StoredAsset } from '../../../content/content-service.ts';
import type { ReferenceFinder } from '../../../content/reading/find-references.ts';
import type { Written } from '../../../content/write-asset.ts';
import { adminPath } from '../../../documents/openapi-document.ts';
import { toChangeHeader } from '../../response/change-header.ts';
import { parseBase, toEntityTag } from '../../response/entity-tag.ts';
import { type AdminHandlers, administrator, conditionOf, noContent, ok } from './responses.ts';

/** The operations of the assets. */
type Handled = 'createContent' | 'getContent' | 'updateContent' | 'deleteContent' | 'listContentReferences';

const defaultListed = 10;

/** Creates the handlers. */
export function createContentHandlers(
  content: ContentService,
  findReferences: ReferenceFinder,
): Pick<AdminHandlers, Handled> {
  const okAsset = (stored: StoredAsset & Written) => {
    const { asset, version } = stored;
    const headers = { ETag: toEntityTag(version, content.shapeOf(asset._type)), ...toChangeHeader(stored) };
    return { ...ok(asset), headers };
  };
  return {
    async createContent({ body }) {
      const created = await content.create(body, administrator);
      const { asset } = created;
      const { headers } = okAsset(created);
      return {
        status: 201,
        body: asset,
        headers: { ...headers, Location: `${adminPath}/contents/${asset._id}` },
      };
    },

    async getContent({ path }) {
      return okAsset(await content.get(path.id, administrator));
    },

    async updateContent({ path, headers, body }) {
      const update = { id: path.id, body, ...conditionOf(headers), ...parseBase(headers) };
      return okAsset(await content.update(update, administrator));
    },

    async deleteContent({ path, headers }) {
      const deleted = await content.delete({ id: path.id, ...conditionOf(headers) }, administrator);
      return { ...noContent, headers: toChangeHeader(deleted) };
    },

    async listContentReferences({ path, query: { limit } }) {
      const listed = limit === undefined ? defaultListed : Number(limit);
      return ok(await findReferences({ id: path.id, limit: listed }, administrator));
    },
  };
}
