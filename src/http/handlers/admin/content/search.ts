/**
 * The handlers that find assets by words, and the titles of assets by ID.
 */
import type { TitleFinder } from '../../../../content/reading/find-titles.ts';
import { type AdminHandlers, administrator, ok } from '../responses.ts';

const defaultLimit = 20;

/** Creates the handlers. */
export function createSearchHandlers({
  titles,
}: {
  titles: TitleFinder;
}): Pick<AdminHandlers, 'listTitles' | 'searchContents'> {
  return {
    async listTitles({ body, signal }) {
      return ok({ items: await titles.list(body.ids, { ...administrator, signal }) });
    },

    async searchContents({ body: { text, types, limit = defaultLimit }, signal }) {
      return ok(await titles.search({ text, types, limit }, { ...administrator, signal }));
    },
  };
}
