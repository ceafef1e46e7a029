/**
 * The page that lists the runs: groups of writes, such as imports, that can be reverted together.
 */
import { Anchor, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Run } from '../../api.ts';
import { ActorName } from '../../parts/changes/actor-name.tsx';
import { pathOfRun } from '../../parts/changes/run-link.tsx';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { ShowMore } from '../../parts/layout/show-more.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../parts/problems/history-problem.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { runList } from './run-data.ts';
import { describeState, describeWrites } from './run-words.ts';

export default function Runs() {
  const query = useInfiniteQuery(runList);
  const runs = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page title="Runs">
      <Text size="sm">
        A run is a group of changes that can be undone together, such as an import or a change of many assets
        at once.
      </Text>
      <div>
        <HistoryProblem error={query.error} title="The runs could not be loaded" onRetry={query.refetch} />
        {query.isPending && <Loading />}
        {query.data && runs.length === 0 && (
          <EmptyState title="No runs yet">
            A run groups the writes of a program, so that they can be reverted together. Every import is one.
            Other programs name theirs in the header X-Run.
          </EmptyState>
        )}
        {runs.length > 0 && <RunTable runs={runs} />}
        <ShowMore query={query}>Show older runs</ShowMore>
      </div>
    </Page>
  );
}

function RunTable({ runs }: { runs: readonly Run[] }) {
  return (
    <DataTable label="Runs" columns={['Name', 'Who', 'Began', 'Last write', 'Writes', 'State']}>
      {runs.map((run) => {
        const { label, color } = describeState(run);
        return (
          <Table.Tr key={run.name}>
            <Table.Td miw={160}>
              <Anchor
                component={Link}
                to={pathOfRun(run.name)}
                size="sm"
                style={{ overflowWrap: 'anywhere' }}
              >
                {run.name}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <ActorName actor={run.by} />
            </Table.Td>
            <Table.Td>
              <Ago ms={run.beganAt} />
            </Table.Td>
            <Table.Td>{run.lastWriteAt !== undefined && <Ago ms={run.lastWriteAt} />}</Table.Td>
            <Table.Td>{describeWrites(run)}</Table.Td>
            <Table.Td>
              <Mark color={color}>{label}</Mark>
            </Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}
