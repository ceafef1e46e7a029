/**
 * The version history of a REST endpoint: who did what and when, the difference of two versions, which the address names, and
 * restoring one.
 */
import { Button, Group, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { admin, answer } from '../../../api.ts';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { useRestEndpoint } from '../rest-endpoint-data.ts';
import { pairOf, toParameters } from './compared-pair.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { VersionDifference } from './version-difference.tsx';
import { VersionTable } from './version-table.tsx';

/** How many versions are read at a time. */
const pageSize = 50;

export default function VersionsPage() {
  const { id = '' } = useParams();
  const { data: stored, isPending } = useRestEndpoint(id);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['rest-endpoints', id, 'versions'],
    queryFn: async ({ pageParam: before }) => {
      const query = { limit: pageSize, ...(before === undefined ? {} : { before }) };
      return (await answer(admin.listVersions({ path: { id }, query }))).items;
    },
    initialPageParam: undefined as number | undefined,
    // Versions are numbered from 1 without gaps.
    getNextPageParam: (page) => ((page.at(-1)?.number ?? 1) > 1 ? page.at(-1)?.number : undefined),
  });
  const [parameters, setParameters] = useSearchParams();
  const [restoring, setRestoring] = useState<number>();

  const versions = data?.pages.flat() ?? [];
  const publishedNumber = stored?.data.published?.number;
  // What is published decides on the pair. If it cannot be loaded, the versions alone do.
  const pair = isPending ? undefined : pairOf(parameters, versions, publishedNumber);
  return (
    <Page
      title={stored ? `Versions of ${stored.data.draft.name}` : 'Versions'}
      back={{ to: `/admin/rest-endpoints/${id}`, label: stored?.data.draft.name ?? 'REST endpoint' }}
    >
      <ProblemAlert error={error} title="The versions could not be loaded" onRetry={refetch} />
      {!pair && !error && <Loading />}
      {pair && (
        <Stack gap="xl">
          <Section title="All versions">
            <VersionTable
              versions={versions}
              publishedNumber={publishedNumber}
              {...pair}
              onChoose={(choice) => setParameters(toParameters({ ...pair, ...choice }))}
              onRestore={setRestoring}
            />
            {hasNextPage && (
              <Group mt="sm">
                <Button
                  variant="default"
                  size="xs"
                  loading={isFetchingNextPage}
                  onClick={() => fetchNextPage()}
                >
                  Earlier versions
                </Button>
              </Group>
            )}
          </Section>
          <Section title={`From version ${pair.before} to version ${pair.after}`}>
            <VersionDifference id={id} {...pair} />
          </Section>
        </Stack>
      )}
      {stored && (
        <RestoreDialog
          stored={stored}
          number={restoring}
          onClose={() => setRestoring(undefined)}
          onRestored={() => setParameters({}, { replace: true })}
        />
      )}
    </Page>
  );
}
