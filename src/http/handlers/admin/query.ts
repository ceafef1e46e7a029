/**
 * The handler of the debug query: the CMA's query with an order, timed.
 */
import type { ContentService } from '../../../content/content-service.ts';
import { type AdminHandlers, administrator, ok } from './answers.ts';

const defaultLimit = 10;

/** Makes the handler over the content that users write. */
export function createQueryHandlers(content: ContentService): Pick<AdminHandlers, 'runQuery'> {
  return {
    async runQuery({ body }) {
      const { sort = [], offset = 0, limit = defaultLimit, ...predicate } = body;
      const keys = sort.map(({ field, descending = false }) => ({ field, descending }));
      const startedMs = performance.now();
      const query = { ...predicate, sort: keys, offset, limit, withCount: true };
      const { count = 0, items } = await content.find(query, administrator);
      const ms = Math.round((performance.now() - startedMs) * 10) / 10;
      return ok({ count, items: [...items], ms });
    },
  };
}
