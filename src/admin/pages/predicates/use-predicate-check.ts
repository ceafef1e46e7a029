/**
 * Checks a predicate on the server while the user types. Nothing is searched.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { admin, answer } from '../../api.ts';
import type { AssetQuery } from '../../parts/data/asset-query.ts';
import { findFlaw, type PredicateFlaw } from '../../parts/problems/predicate-error.tsx';

/** How long the user has to pause before the predicate is checked. */
const pauseMs = 300;

/** The flaw of a predicate, undefined while it is typed in or has none. When the check fails, running the query says what is wrong. */
export function usePredicateCheck({ from, where, values }: AssetQuery): PredicateFlaw | undefined {
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
  return (settled === where && data) || undefined;
}
