/**
 * The handlers of the assets, for editors. They run the operations of the content management API as an administrator.
 */
import type { EraseWithResponses } from '../../../../access/idempotency/erase-with-responses.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import type { ReferenceFinder } from '../../../../content/reading/find-references.ts';
import { adminPath } from '../../../../documents/openapi-document.ts';
import { defaultLimit } from '../../../../text/page-limits.ts';
import { toChangeHeader } from '../../../response/change-header.ts';
import { parseBase } from '../../../response/entity-tag.ts';
import {
  type AdminHandlers,
  administrator,
  conditionOf,
  createAssetResponse,
  noContent,
  ok,
} from '../responses.ts';

/** The operations of the assets. */
type Handled = 'createContent' | 'getContent' | 'updateContent' | 'deleteContent' | 'listContentReferences';

/** Creates the handlers. */
export function createContentHandlers({
  content,
  findReferences,
  erase,
}: {
  content: ContentService;
  findReferences: ReferenceFinder;
  erase: EraseWithResponses;
}): Pick<AdminHandlers, Handled> {
  const okAsset = createAssetResponse(content);
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

    async deleteContent({ path, query, headers }) {
      const deletion = { id: path.id, ...conditionOf(headers) };
      const isErased = query.erase === 'true';
      const deleted = await (isErased ? erase : content.delete)(deletion, administrator);
      return { ...noContent, headers: toChangeHeader(deleted) };
    },

    async listContentReferences({ path, query: { limit } }) {
      const listed = limit === undefined ? defaultLimit : Number(limit);
      return ok(await findReferences({ id: path.id, limit: listed }, administrator));
    },
  };
}
