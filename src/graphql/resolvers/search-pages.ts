/**
 * Runs the searches of lists: for a page, by offset or by cursor, and for the counted values of fields.
 */
import type { AssetFinder, AssetQuery } from '../../content/reading/find-assets.ts';
import type { OpenPage } from '../../content/reading/read-chunks.ts';
import type { CountedField, ReadPage, WantedPage } from './list-page.ts';
import type { RunContext } from './run-context.ts';

/** What a list searches, and the run that it is part of. */
export interface ListSearch {
  readonly reads: AssetFinder;
  readonly query: Omit<AssetQuery, 'withCount'>;
  readonly context: RunContext;
}

/** Reads a page, and stops when the response becomes too large. */
export async function findPage(wanted: WantedPage, search: ListSearch): Promise<ReadPage> {
  const { reads, query, context } = search;
  const { caller, budget, searches } = context;
  budget.assertLeft();
  if (query.cursor !== undefined) return findByCursor(wanted, search);
  const limit = wanted.items ? query.limit : 0;
  const page = await searches.run(caller, (stoppable) =>
    reads.open({ ...query, limit, withCount: wanted.count }, stoppable),
  );
  return keepPage(page, search);
}

/** Reads a page by cursor, and the count of all assets apart from it: pages after the first one have it too. */
async function findByCursor(wanted: WantedPage, search: ListSearch): Promise<ReadPage> {
  const { reads, query, context } = search;
  const { caller, searches } = context;
  const { cursor: _, ...whole } = query;
  // A page of which nothing is wanted still has its cursor checked.
  const limit = wanted.items || wanted.next ? query.limit : Math.min(query.limit, 1);
  if (wanted.count) searches.add();
  const [page, total] = await Promise.all([
    searches.run(caller, (stoppable) => reads.open({ ...query, limit, withCount: false }, stoppable)),
    wanted.count &&
      searches.run(caller, (stoppable) => reads.open({ ...whole, limit: 0, withCount: true }, stoppable)),
  ]);
  const kept = await keepPage(wanted.items ? page : { ...page, first: [], rest: undefined }, search);
  return { ...kept, ...(total && total.count !== undefined && { count: total.count }) };
}

async function keepPage(
  {
    first,
    rest,
    ...others
  }: Pick<OpenPage, 'first' | 'count' | 'next'> & { rest?: OpenPage['rest'] | undefined },
  { context: { budget } }: ListSearch,
): Promise<ReadPage> {
  const items = budget.keepAll(first);
  if (rest) for await (const assets of rest) items.push(...budget.keepAll(assets));
  return { items, ...others };
}

/** Counts the values of fields among all assets of the list. */
export async function countValues(
  paths: readonly string[],
  { reads, query, context: { caller, budget, searches } }: ListSearch,
): Promise<readonly CountedField[]> {
  budget.assertLeft();
  const { from, where, filter, values } = query;
  const terms = {
    from,
    ...(where !== undefined && { where }),
    ...(filter && { filter }),
    ...(values && { values }),
  };
  const found = await searches.run(caller, (stoppable) =>
    reads.facets({ ...terms, facets: paths }, stoppable),
  );
  budget.countValue(found);
  return Object.entries(found).map(([path, counted]) => ({ path, values: counted }));
}
