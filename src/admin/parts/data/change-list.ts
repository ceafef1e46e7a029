/**
 * Loads changes of content and settings, newest first.
 */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { admin, answer } from '../../api.ts';

/** The changes that fit the filters, in pages. The names of the filters are those of the API. */
export const changeList = (filters: URLSearchParams) =>
  infiniteQueryOptions({
    queryKey: ['changes', String(filters)],
    queryFn: ({ pageParam: cursor }) => {
      const { type, action, from, to, ...texts } = Object.fromEntries(filters);
      const query = {
        ...texts,
        ...(type !== undefined && { type: [type] }),
        ...(action !== undefined && { action: [action] }),
        ...(from !== undefined && { from: Number(from) }),
        ...(to !== undefined && { to: Number(to) }),
        ...(cursor !== undefined && { cursor }),
      };
      // Whatever the address says: the API rejects what it does not know.
      return answer(admin.listChanges({ query: query as NonNullable<ChangesQuery> }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

type ChangesQuery = NonNullable<Parameters<typeof admin.listChanges>[0]>['query'];
