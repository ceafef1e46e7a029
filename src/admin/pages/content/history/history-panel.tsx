/**
 * The history of an asset: its changes, what one of them did, and the way back.
 */
import { Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, type ContentType } from '../../../api.ts';
import { assetById } from '../../../parts/data/use-assets.ts';
import { ShowMore } from '../../../parts/layout/show-more.tsx';
import { Loaded } from '../../../parts/loading/loaded.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../../parts/problems/history-problem.tsx';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { ChangeDetails } from './change-details.tsx';
import { historyOf } from './history-data.ts';
import { HistoryTable } from './history-table.tsx';

/** The history of an asset with a form; it is compared with what is stored now, which may be newer than what the form shows. */
export function PresentHistory({ id, ...rest }: Omit<HistoryPanelProps, 'current'>) {
  const present = useQuery(assetById(id));
  const isGone = present.error instanceof ApiProblem && present.error.status === 404;
  if (isGone) return <HistoryPanel id={id} current={undefined} {...rest} />;
  return (
    <Loaded query={present} what="the current state">
      {(current) => <HistoryPanel id={id} current={current} {...rest} />}
    </Loaded>
  );
}

/** What a history is about; `onRestored` receives the asset after something was restored. */
interface HistoryPanelProps {
  readonly id: string;
  readonly type: ContentType;
  /** Undefined when the asset does not exist. */
  readonly current: StoredAsset | undefined;
  readonly onRestored: (stored: StoredAsset) => void;
}

/** The history of an asset, also of a deleted one. */
export function HistoryPanel({ id, type, current, onRestored }: HistoryPanelProps) {
  const history = useInfiniteQuery(historyOf(id));
  const [chosenId, setChosenId] = useState<string>();
  const changes = history.data?.pages.flatMap(({ items }) => items) ?? [];
  const chosen = changes.find((change) => change.id === chosenId) ?? changes[0];
  return (
    <Stack gap="lg">
      <HistoryProblem
        error={history.error}
        title="The history could not be loaded"
        onRetry={history.refetch}
      />
      {history.isPending && <Loading />}
      {changes.length > 0 && (
        <div>
          <HistoryTable
            type={type}
            changes={changes}
            chosen={chosen}
            onChoose={({ id }) => setChosenId(id)}
          />
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
          current={current}
          onRestored={(stored) => {
            setChosenId(undefined);
            onRestored(stored);
          }}
        />
      )}
    </Stack>
  );
}
