/**
 * The version history of a REST endpoint: who did what and when, the difference of two versions, and restoring one.
 */
import { Button, Group, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { admin, answer } from '../../../api.ts';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { useRestEndpoint } from '../rest-endpoint-data.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { VersionDifference } from './version-difference.tsx';
import { VersionTable } from './version-table.tsx';

/** How many versions are read at a time. */
const pageSize = 50;

export default function VersionsPage() {
  const { id = '' } = useParams();
  const { data: kept } = useRestEndpoint(id);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['rest-endpoints', id, 'versions'],
    queryFn: async ({ pageParam: before }) => {
      const query = { limit: pageSize, ...(before === undefined ? {} : { before }) };
      return (await answer(admin.listVersions({ path: { id }, query }))).items;
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.number),
  });
  const [chosen, setChosen] = useState<{ before?: number; after?: number }>({});
  const [restoring, setRestoring] = useState<number>();

  const versions = data?.pages.flat() ?? [];
  const after = chosen.after ?? versions[0]?.number;
  const before = chosen.before ?? versions[1]?.number ?? after;
  return (
    <Page
      title={kept ? `Versions of ${kept.data.draft.name}` : 'Versions'}
      back={{ to: `/admin/rest-endpoints/${id}`, label: kept?.data.draft.name ?? 'REST endpoint' }}
    >
      <ProblemAlert error={error} title="The versions could not be loaded" onRetry={refetch} />
      {!data && !error && <Loading />}
      {before !== undefined && after !== undefined && (
        <Stack gap="xl">
          <Section title="All versions">
            <VersionTable
              versions={versions}
              publishedNumber={kept?.data.published?.number}
              before={before}
              after={after}
              onChoose={(choice) => setChosen({ ...chosen, ...choice })}
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
          <Section title={`From version ${before} to version ${after}`}>
            <VersionDifference id={id} before={before} after={after} />
          </Section>
        </Stack>
      )}
      {kept && (
        <RestoreDialog
          kept={kept}
          number={restoring}
          onClose={() => setRestoring(undefined)}
          onRestored={() => setChosen({})}
        />
      )}
    </Page>
  );
}
