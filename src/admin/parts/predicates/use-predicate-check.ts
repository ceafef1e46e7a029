/**
 * Checks a predicate while one types it.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { admin, answer } from '../../api.ts';
import { findFlaw, type PredicateFlaw } from '../problems/predicate-error.tsx';

/** How long the user has to pause before the predicate is checked. */
const pauseMs = 300;

/**
 * The flaw of a predicate, null if it has none, undefined while it is typed in, is empty or could not be checked. `values` fills its `?`
 * in order.
 */
export function usePredicateCheck({
  from,
  where,
  values = [],
}: {
  from: string;
  where: string;
  values?: readonly string[];
}): PredicateFlaw | null | undefined {
  const [settled] = useDebouncedValue(where, pauseMs);
  const { data } = useQuery({
    queryKey: ['query-check', from, settled, values],
    queryFn: async ({ signal }) => {
      const body = { from, where: settled, values: [...values] };
      return findFlaw((await answer(admin.checkQuery({ body, signal }))).problems) ?? null;
    },
    enabled: from !== '' && settled.trim() !== '' && settled === where,
    gcTime: 0,
  });
  return settled === where ? data : undefined;
}
