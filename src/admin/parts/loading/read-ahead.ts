/**
 * Data that is read before the page that shows it is opened. For a few seconds the page need not read it again. Only queries that get
 * their client from `adminFor` may be read ahead.
 */
import type { FetchQueryOptions, Query, QueryClient } from '@tanstack/react-query';
import { aheadMeta } from '../../api.ts';

/** A query of whatever data, as `queryOptions` makes it. */
export interface ReadableQuery {
  readonly queryKey: readonly unknown[];
}

/** For how long data that was read ahead counts as new. */
const freshMs = 5000;

/** When the data of a query was read ahead. */
const readAt = new WeakMap<object, number>();

/** Reads the data of queries that have none yet, or data of some age. Failures are left to the page, which asks again. */
export async function readAhead(client: QueryClient, queries: readonly ReadableQuery[]): Promise<void> {
  await Promise.all(queries.map((query) => readQueryAhead(client, query)));
}

async function readQueryAhead(client: QueryClient, query: ReadableQuery): Promise<void> {
  const find = () => client.getQueryCache().find({ queryKey: query.queryKey });
  const before = find()?.state.dataUpdatedAt;
  // Queries of different data have no common type.
  await client.prefetchQuery({ staleTime: freshMs, ...(query as FetchQueryOptions), meta: aheadMeta });
  const found = find();
  // A page that has opened meanwhile asks for itself.
  if (found?.state.status === 'error') await client.resetQueries({ queryKey: query.queryKey, exact: true });
  else if (found && found.state.dataUpdatedAt !== before) {
    readAt.set(found, found.state.dataUpdatedAt);
    setTimeout(() => readAt.delete(found), freshMs);
  }
}

/** Whether the data of a query was read ahead in the last seconds and has been shown by no page that changed it since. */
export function isJustReadAhead(query: Pick<Query, 'state'>): boolean {
  const { dataUpdatedAt, isInvalidated } = query.state;
  return readAt.get(query) === dataUpdatedAt && !isInvalidated;
}
