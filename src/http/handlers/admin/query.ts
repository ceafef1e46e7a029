/**
 * The handler of the debug query: the query of the content management API with a sort order and its duration.
 */
import type { ContentService } from '../../../content/content-service.ts';
import { selectFromPage } from '../../../content/unfit/check-page.ts';
import { pageResponse } from '../../response/streamed-body.ts';
import { type AdminHandlers, administrator } from './responses.ts';

const defaultLimit = 10;

/** Creates the handler. */
export function createQueryHandlers(content: ContentService): Pick<AdminHandlers, 'runQuery'> {
  return {
    async runQuery({ body, signal }) {
      const { sort = [], offset = 0, limit = defaultLimit, fields, ...predicate } = body;
      const selection = fields && content.selectFields(body.from, fields);
      const keys = sort.map(({ field, descending = false }) => ({ field, descending }));
      const startedMs = performance.now();
      const query = { ...predicate, sort: keys, offset, limit, withCount: true };
      const page = await content.openTexts(query, { ...administrator, signal });
      const ms = Math.round((performance.now() - startedMs) * 10) / 10;
      return pageResponse(selection ? selectFromPage(page, selection) : page, (items) => ({
        count: page.count ?? 0,
        items,
        ms,
      }));
    },
  };
}
