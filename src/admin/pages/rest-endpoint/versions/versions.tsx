/**
 * The version history of a REST endpoint: who did what and when, the difference of two versions, which the address names, and
 * restoring one.
 */
import { Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { admin, answer, isConflict, type VersionSummary } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { DryRunReport } from '../../../parts/confirm/consequences.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import {
  actionWords,
  type StoredEndpoint,
  useEndpointChanges,
  useRestEndpoint,
} from '../rest-endpoint-data.ts';
import { pairOf, toParameters } from './compared-pair.ts';
import { VersionDifference } from './version-difference.tsx';

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

/** The dialog; open while there is a number. */
function RestoreDialog({
  stored,
  number,
  onClose,
  onRestored,
}: {
  stored: StoredEndpoint;
  number: number | undefined;
  onClose: () => void;
  onRestored: () => void;
}) {
  const { restore, publish, tryOut } = useEndpointChanges();
  const client = useQueryClient();
  const [isPublishing, setIsPublishing] = useState(false);
  const { id } = stored.data;
  const report = useQuery({
    queryKey: ['rest-endpoints', id, 'versions', number, 'publication'],
    queryFn: async () => {
      const { definition } = await answer(admin.getVersion({ path: { id, number: number ?? 0 } }));
      return tryOut({ change: 'PUBLISH', id, definition }, stored);
    },
    enabled: isPublishing && number !== undefined,
    gcTime: 0,
  });
  const close = () => {
    setIsPublishing(false);
    onClose();
  };
  /** Another user has changed the endpoint: shows the new state, so that the user can try again. */
  async function showTheirs(error: unknown): Promise<never> {
    if (isConflict(error)) await client.invalidateQueries({ queryKey: ['rest-endpoints', id] });
    throw error;
  }
  return (
    <Confirm
      title={`Restore version ${number}?`}
      consequence="It becomes the draft, as a new version. No version is lost."
      action={isPublishing ? 'Restore and publish' : 'Restore'}
      isOpen={number !== undefined}
      isReady={!isPublishing || (report.isSuccess && !report.isFetching)}
      onClose={close}
      onConfirm={async () => {
        if (number === undefined) return;
        const restored = await restore(stored, number).catch(showTheirs);
        const state = isPublishing ? 'published' : 'the draft';
        if (isPublishing) await publish(restored);
        notifications.show({
          message: `Version ${number} is ${state} again, as version ${restored.data.number}`,
          color: 'green',
        });
        onRestored();
        close();
      }}
    >
      <Checkbox
        label="Publish it at once"
        description="Without it, the published version does not change."
        checked={isPublishing}
        onChange={(event) => setIsPublishing(event.currentTarget.checked)}
      />
      {isPublishing && <DryRunReport query={report} nothing="No published route would change." />}
    </Confirm>
  );
}

/** The list, the latest version first. */
function VersionTable({
  versions,
  publishedNumber,
  before,
  after,
  onChoose,
  onRestore,
}: {
  versions: readonly VersionSummary[];
  publishedNumber: number | undefined;
  before: number;
  after: number;
  onChoose: (choice: { before: number } | { after: number }) => void;
  onRestore: (number: number) => void;
}) {
  const group = useId();
  const latest = versions[0]?.number;
  const choice = (place: 'from' | 'to', chosen: number, choose: (number: number) => void) => ({
    id: place,
    head: { from: 'From', to: 'To' }[place],
    cell: ({ number }: VersionSummary) => (
      <Radio
        name={`${group}-${place}`}
        aria-label={`Compare ${place} version ${number}`}
        checked={chosen === number}
        onChange={() => choose(number)}
      />
    ),
  });
  const columns: readonly ListColumn<VersionSummary>[] = [
    {
      id: 'version',
      head: 'Version',
      cell: ({ number }) => (
        <Group gap="xs" wrap="nowrap">
          <span>{number}</span>
          {number === latest && <Mark>Draft</Mark>}
          {number === publishedNumber && <Mark color="green">Published</Mark>}
        </Group>
      ),
    },
    choice('from', before, (number) => onChoose({ before: number })),
    choice('to', after, (number) => onChoose({ after: number })),
    {
      id: 'action',
      head: 'Action',
      cell: ({ action }) => (
        <Text span inherit tt="capitalize">
          {actionWords[action]}
        </Text>
      ),
    },
    { id: 'when', head: 'When', cell: ({ savedAt }) => <Ago ms={savedAt} /> },
    { id: 'who', head: 'By whom', cell: ({ savedBy, savedByName }) => savedByName ?? savedBy },
  ];
  return (
    <ResourceList
      label="Versions"
      columns={columns}
      rows={versions}
      isWhole={false}
      idOf={({ number }) => String(number)}
      nameOf={({ number }) => `version ${number}`}
      menuOf={({ number }) =>
        number === latest ? [] : [{ label: 'Restore…', run: () => onRestore(number) }]
      }
    />
  );
}
