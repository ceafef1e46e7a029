/**
 * The page of one run: its facts, its revert and its writes.
 */
import { Anchor, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { Run } from '../../api.ts';
import { ActorName, RunLink } from '../../parts/changes/actor-name.tsx';
import { ChangeTable, changeList } from '../../parts/changes/change-table.tsx';
import { type Fact, FactTable } from '../../parts/layout/fact-table.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { EmptyState, Page, Section } from '../../parts/layout/page.tsx';
import { LoadedPages } from '../../parts/layout/paging.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../parts/problems/problem-alert.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useMay } from '../../roles.ts';
import { RevertRun } from './revert-run.tsx';
import { describeState, describeWrites, runByName } from './run-data.ts';

export default function RunPage() {
  const { run: name = '' } = useParams();
  const query = useQuery(runByName(name));
  const maySeeChanges = useMay('admin');
  return (
    <Page title={name} back={{ to: '/admin/runs', label: 'Runs' }}>
      <Loaded query={query} what="the run" Problem={HistoryProblem}>
        {(run) => (
          <Stack gap="xl">
            <Facts run={run} />
            <RevertRun key={run.name} run={run} />
            <Section title="Writes">
              {maySeeChanges ? (
                <Writes run={run.name} />
              ) : (
                <Text size="sm">The writes are in the audit log, which needs the role admin.</Text>
              )}
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ run }: { run: Run }) {
  const { label, color } = describeState(run);
  const facts: readonly Fact[] = [
    [
      'State',
      <Mark key="state" color={color}>
        {label}
      </Mark>,
    ],
    ['Who', <ActorName key="who" actor={run.by} />],
    ['Began', <Ago key="began" ms={run.beganAt} />],
    ['Last write', run.lastWriteAt === undefined ? 'None' : <Ago key="last" ms={run.lastWriteAt} />],
    ['Writes', describeWrites(run)],
    ['Reverts', run.revertOf && <RunLink key="reverts" name={run.revertOf} />],
    ['Reverted by', run.revert && <RunLink key="reverted" name={run.revert.run} />],
  ];
  return <FactTable facts={facts} />;
}

function Writes({ run }: { run: string }) {
  const filters = new URLSearchParams({ run });
  const query = useInfiniteQuery(changeList(filters));
  const hasWrites = query.data?.pages.some(({ items }) => items.length > 0);
  return (
    <>
      <LoadedPages
        query={query}
        what="the writes"
        more="Show older writes"
        empty={
          <EmptyState title="No writes">The history of this run is empty, or no longer kept.</EmptyState>
        }
        Problem={HistoryProblem}
      >
        {(changes) => <ChangeTable changes={changes} withRun={false} />}
      </LoadedPages>
      {hasWrites && (
        <Anchor component={Link} to={`/admin/audit?${filters}`} size="sm" mt="sm" display="block">
          Open in the audit log
        </Anchor>
      )}
    </>
  );
}
