/**
 * The page that lists the deleted assets, and restores them. The URL holds the type.
 */
import { Anchor, Button, Select, Stack, Table } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { admin, answer, type DeletedContent } from '../../../api.ts';
import { ActorName } from '../../../parts/changes/actor-name.tsx';
import { RunLink } from '../../../parts/changes/run-link.tsx';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { pathOfAsset } from '../../../parts/data/asset-titles.ts';
import { typeList } from '../../../parts/data/lists.ts';
import { useTypeNames } from '../../../parts/data/type-names.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { ShowMore } from '../../../parts/layout/show-more.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../../parts/problems/history-problem.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import { useMay } from '../../../roles.ts';
import { useRestore } from '../history/history-data.ts';

export default function DeletedAssets() {
  const [parameters, setParameters] = useSearchParams();
  const type = parameters.get('type') ?? '';
  const types = useQuery(typeList).data?.items ?? [];
  return (
    <Page title="Deleted assets">
      <Stack gap="lg">
        <Select
          label="Type"
          data={types.map(({ class: value, name }) => ({ value, label: name }))}
          value={type === '' ? null : type}
          onChange={(value) => setParameters(value === null ? {} : { type: value })}
          placeholder="All types"
          clearable
          searchable
          maw={360}
        />
        <DeletedList key={type} type={type} />
      </Stack>
    </Page>
  );
}

function DeletedList({ type }: { type: string }) {
  const query = useInfiniteQuery({
    queryKey: ['contents', 'deleted', type],
    queryFn: ({ pageParam: cursor }) =>
      answer(
        admin.listDeletedContents({
          query: { ...(type && { type }), ...(cursor !== undefined && { cursor }) },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const [chosen, setChosen] = useState<DeletedContent>();
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div>
      <HistoryProblem
        error={query.error}
        title="The deleted assets could not be loaded"
        onRetry={query.refetch}
      />
      {query.isPending && <Loading />}
      {query.data && items.length === 0 && !query.hasNextPage && (
        <EmptyState title="No deleted assets">
          Deleted assets appear here until their history is removed.
        </EmptyState>
      )}
      {items.length > 0 && <DeletedTable items={items} onRestore={setChosen} />}
      <ShowMore query={query}>Show more</ShowMore>
      <RestoreDeleted deleted={chosen} onClose={() => setChosen(undefined)} />
    </div>
  );
}

function DeletedTable({
  items,
  onRestore,
}: {
  items: readonly DeletedContent[];
  onRestore: (deleted: DeletedContent) => void;
}) {
  const mayRestore = useMay('editor');
  const nameOf = useTypeNames();
  const hasRuns = items.some(({ run }) => run !== undefined);
  const columns = [
    'Title',
    'Type',
    'Deleted',
    'Who',
    ...(hasRuns ? ['Run'] : []),
    ...(mayRestore ? ['Action'] : []),
  ];
  return (
    <DataTable label="Deleted assets" columns={columns}>
      {items.map((deleted) => (
        <Table.Tr key={deleted._id}>
          <Table.Td miw={160} maw={360}>
            <Anchor component={Link} dir="auto" to={pathOfAsset(deleted)} size="sm" lineClamp={2}>
              {deleted.title}
            </Anchor>
          </Table.Td>
          <Table.Td>{nameOf(deleted._type)}</Table.Td>
          <Table.Td>
            <Ago ms={deleted.at} />
          </Table.Td>
          <Table.Td>
            <ActorName actor={deleted.by} />
          </Table.Td>
          {hasRuns && (
            <Table.Td>
              <RunLink name={deleted.run} />
            </Table.Td>
          )}
          {mayRestore && (
            <Table.Td>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Restore ${deleted.title}`}
                onClick={() => onRestore(deleted)}
              >
                Restore
              </Button>
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/** The dialog; open while there is an asset. It then opens the restored asset. */
function RestoreDeleted({ deleted, onClose }: { deleted: DeletedContent | undefined; onClose: () => void }) {
  // The dialog fades with the asset that it had.
  const [shown, setShown] = useState(deleted);
  if (deleted && deleted !== shown) setShown(deleted);
  const restore = useRestore();
  const nameOf = useTypeNames();
  const navigate = useNavigate();
  return (
    <Confirm
      title={`Restore ${shown?.title}?`}
      consequence={`The ${nameOf(shown?._type ?? '')} is created again, with its ID and all its fields.`}
      action="Restore"
      color="indigo"
      isOpen={deleted !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        if (!shown) return;
        const { _id: id, version } = shown;
        const { data } = await restore({ id, version, tag: undefined });
        notifications.show({ message: 'Restored', color: 'green' });
        await navigate(pathOfAsset(data));
      }}
    />
  );
}
