/**
 * The handlers that find assets by words, and the titles of assets by ID.
 */
import type { Clock } from '../../../../base/runtime.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import { createTitleFinder, type TitleFinder } from '../../../../content/reading/find-titles.ts';
import { type ContentChoice, contentFor, namingRelease } from '../../requested-content.ts';
import { type AdminHandlers, administrator, ok } from '../responses.ts';

const defaultLimit = 20;

/** Creates the handlers. */
export function createSearchHandlers({
  content,
  titles,
  clock,
}: {
  content: ContentService;
  titles: TitleFinder;
  clock: Clock;
}): Pick<AdminHandlers, 'listTitles' | 'searchContents'> {
  const titlesOf = (query: ContentChoice['query']) =>
    query.release === undefined ? titles : createTitleFinder({ content: contentFor(content, query), clock });

  return {
    listTitles: namingRelease(async ({ body, query, signal }) =>
      ok({ items: await titlesOf(query).list(body.ids, { ...administrator, signal }) }),
    ),

    searchContents: namingRelease(async ({ body: { limit = defaultLimit, ...search }, query, signal }) =>
      ok(await titlesOf(query).search({ ...search, limit }, { ...administrator, signal })),
    ),
  };
}
