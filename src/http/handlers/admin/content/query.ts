/**
 * The handlers of queries: the query of the content management API with a sort order and its duration, and its check.
 */
import { isDomainError } from '../../../../base/errors.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import { selectFromPage } from '../../../../content/unfit/check-page.ts';
import { defaultLimit } from '../../../../text/page-limits.ts';
import { problemsOf } from '../../../response/problem-json.ts';
import { pageResponse } from '../../../response/streamed-body.ts';
import { contentFor, namingRelease } from '../../requested-content.ts';
import { type AdminHandlers, administrator, ok } from '../responses.ts';

/** Creates the handlers. */
export function createQueryHandlers(content: ContentService): Pick<AdminHandlers, 'runQuery' | 'checkQuery'> {
  return {
    runQuery: namingRelease(async ({ body, query: choice, signal }) => {
      const requested = contentFor(content, choice);
      const { sort = [], offset = 0, limit = defaultLimit, fields, ...predicate } = body;
      const selection = fields && requested.selectFields(body.from, { fields });
      const keys = sort.map(({ field, descending = false }) => ({ field, descending }));
      const startedMs = performance.now();
      const query = { ...predicate, sort: keys, offset, limit, withCount: true };
      const page = await requested.openTexts(query, { ...administrator, signal });
      const ms = Math.round((performance.now() - startedMs) * 10) / 10;
      return pageResponse(selection ? selectFromPage(page, selection) : page, (items) => ({
        count: page.count ?? 0,
        items,
        ms,
      }));
    }),

    async checkQuery({ body }) {
      try {
        content.check(body, administrator);
        return ok({ problems: [] });
      } catch (error) {
        if (isDomainError(error)) return ok({ problems: [...problemsOf(error)] });
        throw error;
      }
    },
  };
}
