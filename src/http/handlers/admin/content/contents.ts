/**
 * The handlers of the assets, for editors. They run the operations of the content management API as an administrator.
 */
import type { EraseWithResponses } from '../../../../access/idempotency/erase-with-responses.ts';
import type { Clock } from '../../../../base/runtime.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import { createReferenceFinder, type ReferenceFinder } from '../../../../content/reading/find-references.ts';
import type { PreviewAddresses } from '../../../../content/reading/preview-addresses.ts';
import { adminPath } from '../../../../documents/openapi-document.ts';
import { defaultLimit } from '../../../../text/page-limits.ts';
import { toChangeHeader } from '../../../response/change-header.ts';
import { parseBase } from '../../../response/entity-tag.ts';
import { chooseDeletion, contentFor, namingRelease, releaseQuery } from '../../requested-content.ts';
import {
  type AdminHandlers,
  administrator,
  conditionOf,
  createAssetResponse,
  createWrittenResponse,
  drafterOf,
  noContent,
  ok,
} from '../responses.ts';

/** The operations of the assets. */
type Handled =
  | 'createContent'
  | 'getContent'
  | 'updateContent'
  | 'deleteContent'
  | 'withdrawContent'
  | 'listContentReferences';

/** Creates the handlers. */
export function createContentHandlers({
  content,
  findReferences,
  erase,
  previews,
  clock,
}: {
  content: ContentService;
  findReferences: ReferenceFinder;
  erase: EraseWithResponses;
  previews: Pick<PreviewAddresses, 'addressOf'>;
  clock: Clock;
}): Pick<AdminHandlers, Handled> {
  const okAsset = createAssetResponse(content);
  const okWritten = createWrittenResponse(content);
  return {
    createContent: namingRelease(async ({ body, query, headers: sent, principal }) => {
      const sender = { headers: sent, drafter: drafterOf(principal) };
      const created = await contentFor(content, query, sender).create(body, administrator);
      const { asset } = created;
      const { headers } = okWritten(created);
      const Location = `${adminPath}/contents/${asset._id}${releaseQuery(query)}`;
      return { status: 201 as const, body: asset, headers: { ...headers, Location } };
    }),

    getContent: namingRelease(async ({ path, query }) => {
      const stored = await contentFor(content, query).get(path.id, administrator);
      const { headers, ...response } = okAsset(stored);
      const address = await previews.addressOf(response.body);
      const link = address !== undefined && { Link: `<${address}>; rel="preview"` };
      return { ...response, headers: { ...headers, ...link } };
    }),

    updateContent: namingRelease(async ({ path, query, headers, body, principal }) => {
      const update = { id: path.id, body, ...conditionOf(headers), ...parseBase(headers) };
      const requested = contentFor(content, query, { headers, drafter: drafterOf(principal) });
      return okWritten(await requested.update(update, administrator));
    }),

    deleteContent: namingRelease(async ({ path, query, headers, principal }) => {
      const deletion = { id: path.id, ...conditionOf(headers) };
      const remove = chooseDeletion(content, { query, headers, drafter: drafterOf(principal), erase });
      const deleted = await remove(deletion, administrator);
      return { ...noContent, headers: toChangeHeader(deleted) };
    }),

    async withdrawContent({ path, headers, signal }) {
      const withdrawal = { id: path.id, ...conditionOf(headers) };
      const withdrawn = await content.releases.withdraw(withdrawal, { ...administrator, signal });
      const { references, schedules } = withdrawn;
      return { ...ok({ references, schedules }), headers: toChangeHeader(withdrawn) };
    },

    listContentReferences: namingRelease(async ({ path, query }) => {
      const listed = query.limit === undefined ? defaultLimit : Number(query.limit);
      const find =
        query.release === undefined
          ? findReferences
          : createReferenceFinder({ content: contentFor(content, query), clock });
      return ok(await find({ id: path.id, limit: listed }, administrator));
    }),
  };
}
