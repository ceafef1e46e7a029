/**
 * Shows the difference of two versions, line by line.
 */
import { Box, Text, VisuallyHidden } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { admin, answer } from '../../../api.ts';
import { graphqlEndpointList } from '../../../parts/data/lists.ts';
import { EmptyState } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { type ComparedLine, compareLines } from './compare-lines.ts';
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
  const stretches = compareLines(
    toText(old.data.definition, sources.data.items),
    toText(now.data.definition, sources.data.items),
  );
  if (stretches.length === 0) {
    return <EmptyState title="No differences">Both versions have the same settings and mappings.</EmptyState>;
  }
  return (
    <Box
      className="difference"
      role="region"
      aria-label="Difference"
      tabIndex={0}
      ff="monospace"
      fz="sm"
      bd="1px solid var(--mantine-color-default-border)"
      bdrs="sm"
      style={{ overflowX: 'auto' }}
    >
      {stretches.map((stretch, index) =>
        'folded' in stretch ? (
          <Text key={index} size="xs" px="xs" py={2} bg="var(--mantine-color-default-hover)">
            {stretch.folded} equal lines
          </Text>
        ) : (
          <Lines key={index} lines={stretch.lines} />
        ),
      )}
    </Box>
  );
}

const looks = {
  same: { sign: ' ', words: '', background: undefined },
  added: { sign: '+', words: 'added: ', background: 'light-dark(#d9f2e0, #12391f)' },
  removed: { sign: '−', words: 'removed: ', background: 'light-dark(#fde0e0, #4a1a1d)' },
} as const;

function Lines({ lines }: { lines: readonly ComparedLine[] }) {
  return lines.map(({ kind, text }, index) => {
    const { sign, words, background } = looks[kind];
    return (
      <div key={index} style={{ background, whiteSpace: 'pre', width: 'max-content', minWidth: '100%' }}>
        <span aria-hidden style={{ padding: '0 0.5rem' }}>
          {sign}
        </span>
        {words !== '' && <VisuallyHidden component="span">{words}</VisuallyHidden>}
        {text}
      </div>
    );
  });
}
