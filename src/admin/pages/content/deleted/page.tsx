/**
 * The page that lists the deleted assets, and restores some of them. The address holds the type and the search.
 */
import { Alert, Box, Button, Group, List, Select, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { admin, answer, type DeletedContent } from '../../../api.ts';
import { ActorName, RunLink } from '../../../parts/changes/actor-name.tsx';
import { typeList, useTypeNames } from '../../../parts/data/lists.ts';
import { pathOfAsset } from '../../../parts/data/load-titles.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { useParameters } from '../../../parts/data/use-parameters.ts';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { ShowMore } from '../../../parts/layout/paging.tsx';
import { ListSearch } from '../../../parts/list/list-search.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { selectRows } from '../../../parts/list/selected-rows.ts';
import { Loading } from '../../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../../parts/problems/problem-alert.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import { useMay } from '../../../roles.ts';
import { useRestoreDeleted } from './restore-deleted.tsx';

export default function DeletedAssets() {
  const [parameters, change] = useParameters();
  const [type, search] = [parameters.get('type') ?? '', parameters.get('search') ?? ''];
  const set = (name: string, value: string) =>
    change(
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        return before;
      },
      { replace: true },
    );
  const types = useQuery(typeList).data?.items ?? [];
  const filters = (
    <Group gap="xs">
      <ListSearch
        label="Search deleted assets"
        placeholder="Words of the title"
        search={search}
        onSearch={(text) => set('search', text)}
      />
      <Select
        aria-label="Type"
        data={types.map(({ class: value, name }) => ({ value, label: name }))}
        value={type === '' ? null : type}
        onChange={(value) => set('type', value ?? '')}
        placeholder="All types"
        clearable
        searchable
      />
    </Group>
  );
  return (
    <Page title="Deleted assets">
      <DeletedList type={type} search={search} filters={filters} />
    </Page>
  );
}

/** The longest page, of which a search may find little. */
const searchedLimit = 100;

function DeletedList({ type, search, filters }: { type: string; search: string; filters: ReactNode }) {
  const query = useInfiniteQuery({
    queryKey: ['contents', 'deleted', type, search],
    queryFn: ({ pageParam: cursor }) =>
      answer(
        admin.listDeletedContents({
          query: {
            ...(type && { type }),
            ...(search && { search, limit: searchedLimit }),
            ...(cursor !== undefined && { cursor }),
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <DeletedTable items={items} filters={filters}>
      <HistoryProblem
        error={query.error}
        title="The deleted assets could not be loaded"
        onRetry={query.refetch}
      />
      {query.isPending && <Loading />}
      {query.data && items.length === 0 && !query.hasNextPage && (
        <EmptyState title="No deleted assets">
          {search === ''
            ? 'Deleted assets appear here until their history is removed.'
            : 'No title has these words.'}
        </EmptyState>
      )}
      <ShowMore query={query}>Show more</ShowMore>
    </DeletedTable>
  );
}

const idOf = ({ _id }: DeletedContent) => _id;

/** The list under `filters`, whose place what can be done with the selected assets takes; `children` follow it. */
function DeletedTable({
  items,
  filters,
  children,
}: {
  items: readonly DeletedContent[];
  filters: ReactNode;
  children: ReactNode;
}) {
  const mayRestore = useMay('editor');
  const nameOf = useTypeNames();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { restore, isPending, failures } = useRestoreDeleted();
  const selected = items.filter(({ _id }) => chosen.has(_id));
  const columns: readonly ListColumn<DeletedContent>[] = [
    {
      id: 'title',
      head: 'Title',
      cell: ({ title }) => (
        <Text span inherit display="block" maw={420} truncate title={title}>
          {title}
        </Text>
      ),
    },
    { id: 'type', head: 'Type', cell: ({ _type }) => nameOf(_type) },
    { id: 'deleted', head: 'Deleted', cell: ({ at }) => <Ago ms={at} /> },
    { id: 'who', head: 'Who', cell: ({ by }) => <ActorName actor={by} /> },
    ...(items.some(({ run }) => run !== undefined)
      ? [{ id: 'run', head: 'Run', cell: ({ run }: DeletedContent) => <RunLink name={run} /> }]
      : []),
  ];
  return (
    <>
      {failures.length > 0 && (
        <Alert
          color="red"
          variant="light"
          title={`${countOf(failures.length, 'asset')} could not be restored`}
        >
          <List size="sm" listStyleType="none">
            {failures.map(({ title, message }) => (
              <List.Item key={title}>
                {title}: {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {selected.length === 0 ? (
        filters
      ) : (
        <Box component="section" aria-label="Selected assets">
          <Group gap="xs" mih={36}>
            <Text size="sm" role="status">{`${countOf(selected.length, 'asset')} selected`}</Text>
            <Button
              size="compact-sm"
              loading={isPending}
              onClick={() => {
                restore(selected);
                setChosen(new Set());
              }}
            >
              Restore
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => setChosen(new Set())}>
              Clear selection
            </Button>
          </Group>
        </Box>
      )}
      {items.length > 0 && (
        <ResourceList
          label="Deleted assets"
          columns={columns}
          rows={items}
          isWhole={false}
          idOf={idOf}
          nameOf={({ title }) => title}
          hrefOf={pathOfAsset}
          {...(mayRestore && {
            selection: selectRows({ chosen, onChange: setChosen, idOf }),
            menuOf: (deleted: DeletedContent) => [{ label: 'Restore', run: () => restore([deleted]) }],
          })}
        />
      )}
      <div>{children}</div>
    </>
  );
}
