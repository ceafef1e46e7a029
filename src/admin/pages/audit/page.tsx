/**
 * The page that lists who changed what, and when. The URL holds the filters.
 */
import { Button, Stack } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { serverUrl } from '../../base-path.ts';
import { ChangeTable } from '../../parts/changes/change-table.tsx';
import { changeList } from '../../parts/data/change-list.ts';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { ShowMore } from '../../parts/layout/paging.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../parts/problems/problem-alert.tsx';
import { AuditFilter, fromParameters, toParameters } from './audit-filter.tsx';

export default function Audit() {
  const [parameters, setParameters] = useSearchParams();
  const query = useMemo(() => fromParameters(parameters), [parameters]);
  // What is listed stays until what fits the next filters is there.
  const list = useInfiniteQuery({ ...changeList(toParameters(query)), placeholderData: keepPreviousData });
  const changes = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page
      title="Audit log"
      actions={
        <Button
          component="a"
          href={`${serverUrl}/api/admin/changes.csv?${toParameters(query)}`}
          download="changes.csv"
          variant="default"
          size="xs"
        >
          Download CSV
        </Button>
      }
    >
      <Stack gap="md">
        <AuditFilter
          query={query}
          changes={changes}
          onFilter={(next, isTyped) => setParameters(toParameters(next), { replace: isTyped })}
        />
        <div>
          <HistoryProblem
            error={list.error}
            title="The audit log could not be loaded"
            onRetry={list.refetch}
          />
          {list.isPending && <Loading />}
          {list.data && changes.length === 0 && !list.hasNextPage && (
            <EmptyState title="No changes found">Change the filters, or clear them to see all.</EmptyState>
          )}
          {changes.length > 0 && <ChangeTable changes={changes} />}
          <ShowMore query={list}>Show older changes</ShowMore>
        </div>
      </Stack>
    </Page>
  );
}
