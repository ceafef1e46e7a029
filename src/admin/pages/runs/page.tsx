/**
 * The page that lists the runs: groups of writes, such as imports, that can be reverted together.
 */
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Run } from '../../api.ts';
import { ActorName, pathOfRun } from '../../parts/changes/actor-name.tsx';
import { formatNumber } from '../../parts/data/number-words.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { LoadedPages } from '../../parts/layout/paging.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { HistoryProblem } from '../../parts/problems/problem-alert.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { countWrites, describeState, describeWrites, kindOfRun, runList } from './run-data.ts';

export default function Runs() {
  const query = useInfiniteQuery(runList);
  const empty = (
    <EmptyState title="No runs yet">
      A run groups the writes of a program, so that they can be reverted together. Every import is one. Other
      programs name theirs in the header X-Run.
    </EmptyState>
  );
  return (
    <Page title="Runs">
      <Text size="sm">
        A run is a group of changes that can be undone together, such as an import or a change of many assets
        at once.
      </Text>
      <LoadedPages query={query} what="runs" more="Show older runs" empty={empty} Problem={HistoryProblem}>
        {(runs) => (
          <ResourceList
            label="Runs"
            columns={columns}
            rows={runs}
            isWhole={!query.hasNextPage}
            idOf={({ name }) => name}
            nameOf={({ name }) => name}
            hrefOf={({ name }) => pathOfRun(name)}
          />
        )}
      </LoadedPages>
    </Page>
  );
}

const columns: readonly ListColumn<Run>[] = [
  { id: 'name', head: 'Run', cell: Name },
  { id: 'who', head: 'Who', cell: ({ by }) => <ActorName actor={by} /> },
  { id: 'began', head: 'Began', cell: ({ beganAt }) => <Ago ms={beganAt} /> },
  {
    id: 'last',
    head: 'Last write',
    cell: ({ lastWriteAt }) => lastWriteAt !== undefined && <Ago ms={lastWriteAt} />,
  },
  {
    id: 'writes',
    head: 'Writes',
    isFigure: true,
    cell: (run) =>
      run.isCounted ? (
        <span title={describeWrites(run)}>{formatNumber(countWrites(run))}</span>
      ) : (
        describeWrites(run)
      ),
  },
  { id: 'state', head: 'State', cell: State },
];

/** What kind of run it is, unless its name says so, and its name. */
function Name({ name }: Run) {
  const kind = kindOfRun(name);
  if (kind === undefined || name.startsWith(kind.toLowerCase())) return name;
  return (
    <>
      {kind}{' '}
      <Text span size="xs" c="dimmed">
        {name}
      </Text>
    </>
  );
}

function State(run: Run) {
  const { label, color } = describeState(run);
  return <Mark color={color}>{label}</Mark>;
}
