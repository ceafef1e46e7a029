/**
 * Looks at the selected assets before they go: the state of each, and how many others refer to it.
 */
import { Progress, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, answerWithTag } from '../../../../api.ts';
import { formatNumber } from '../../../../parts/data/number-words.ts';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import type { SelectedAsset } from '../use-selection.ts';

/** An asset in the state of which the dialog tells. */
export interface InspectedAsset extends SelectedAsset {
  readonly tag: string | undefined;
  readonly references: number;
}

/** How many of the referenced assets are named. */
const maxNamed = 5;

/**
 * Inspects the assets in the release of `query`, one after the other, since each is searched for in all types. `progress` is the number of
 * inspected ones. Closing the dialog ends it.
 */
export function useInspection(items: readonly SelectedAsset[], query: { readonly release?: string }) {
  const [progress, setProgress] = useState(0);
  const found = useQuery({
    queryKey: ['bulk-inspection', query, items.map(({ asset }) => asset._id)],
    queryFn: async ({ signal }) => {
      const inspected: InspectedAsset[] = [];
      for (const item of items) {
        setProgress(inspected.length);
        const path = { id: item.asset._id };
        const [{ tag }, { count }] = await Promise.all([
          answerWithTag(admin.getContent({ path, query, signal })),
          answer(admin.listContentReferences({ path, query: { limit: 0, ...query }, signal })),
        ]);
        inspected.push({ ...item, tag, references: count });
      }
      return inspected;
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { found, progress: (100 * progress) / Math.max(1, items.length) };
}

/** How far it is, and then who refers to the assets. */
export function Inspection({
  found: { data, error, isFetching, refetch },
  progress,
}: {
  found: UseQueryResult<InspectedAsset[]>;
  /** In percent. */
  progress: number;
}) {
  if (isFetching) return <Progress value={progress} aria-label="Search for references" />;
  if (!data)
    return (
      <ProblemAlert
        error={error}
        title="The references to these assets could not be loaded"
        onRetry={refetch}
      />
    );
  return <Text size="sm">{describe(data.filter(({ references }) => references > 0))}</Text>;
}

function describe(referenced: readonly InspectedAsset[]): string {
  if (referenced.length === 0) return 'No other asset refers to them.';
  const named = referenced
    .slice(0, maxNamed)
    .map(({ name, references }) => `${name} (${formatNumber(references)})`);
  const more = referenced.length > maxNamed ? ` and ${formatNumber(referenced.length - maxNamed)} more` : '';
  return `Other assets refer to ${formatNumber(referenced.length)} of them (how often in brackets): ${named.join(', ')}${more}.`;
}
