/**
 * Shows the difference of two versions, line by line.
 */
import { useQueries, useQuery } from '@tanstack/react-query';
import { admin, answer } from '../../../api.ts';
import { graphqlEndpointList } from '../../../parts/data/lists.ts';
import { LineDifference } from '../../../parts/difference/line-difference.tsx';
import { EmptyState } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { toText } from './definition-text.ts';

/** The difference from one version to another. */
export function VersionDifference({ id, before, after }: { id: string; before: number; after: number }) {
  const sources = useQuery(graphqlEndpointList);
  const [old, now] = useQueries({
    queries: [before, after].map((number) => ({
      queryKey: ['rest-endpoints', id, 'versions', number],
      queryFn: () => answer(admin.getVersion({ path: { id, number } })),
    })),
  });
  const error = old?.error ?? now?.error ?? sources.error;
  if (error) return <ProblemAlert error={error} title="The versions could not be compared" />;
  if (!old?.data || !now?.data || !sources.data) return <Loading />;
  const [from, to] = [old.data, now.data].map(({ definition }) => toText(definition, sources.data.items));
  if (from === to) {
    return <EmptyState title="No differences">Both versions have the same settings and mappings.</EmptyState>;
  }
  return <LineDifference label="Difference" before={from ?? ''} after={to ?? ''} />;
}
