/**
 * The history of an asset: its changes, what one of them did, and the way back.
 */
import { Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, type ContentType } from '../../../api.ts';
import { assetById } from '../../../parts/data/use-assets.ts';
import { ShowMore } from '../../../parts/layout/show-more.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../../parts/problems/history-problem.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { ChangeDetails } from './change-details.tsx';
import { historyOf } from './history-data.ts';
import { HistoryTable } from './history-table.tsx';

/** The history of the asset `id`, which may be deleted. `onRestored` receives the asset after something was restored. */
export function HistoryPanel({
  id,
  type,
  onRestored,
}: {
  id: string;
  type: ContentType;
  onRestored: (stored: StoredAsset) => void;
}) {
  const history = useInfiniteQuery(historyOf(id));
  const present = useQuery(assetById(id));
  const [chosenId, setChosenId] = useState<string>();
  const isGone = present.error instanceof ApiProblem && present.error.status === 404;
  if (history.isPending || (present.isPending && !isGone)) return <Loading />;
  const changes = history.data?.pages.flatMap(({ items }) => items) ?? [];
  const chosen = changes.find((change) => change.id === chosenId) ?? changes[0];
  return (
    <Stack gap="lg">
      <HistoryProblem
        error={history.error}
        title="The history could not be loaded"
        onRetry={history.refetch}
      />
      {!isGone && (
        <ProblemAlert
          error={present.error}
          title="The current state could not be loaded"
          onRetry={present.refetch}
        />
      )}
      {changes.length > 0 && (
        <div>
          <HistoryTable changes={changes} chosen={chosen} onChoose={({ id }) => setChosenId(id)} />
          <ShowMore query={history}>Show older changes</ShowMore>
        </div>
      )}
      {chosen && (
        <ChangeDetails
          // Another change begins with its own view.
          key={chosen.id}
          id={id}
          type={type}
          change={chosen}
          current={isGone ? undefined : present.data}
          onRestored={(stored) => {
            setChosenId(undefined);
            onRestored(stored);
          }}
        />
      )}
    </Stack>
  );
}
