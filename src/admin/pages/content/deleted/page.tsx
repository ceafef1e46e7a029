/**
 * The page that lists the deleted assets, and restores some of them. The address holds the type and the search.
 */
import { Group, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { admin, answer } from '../../../api.ts';
import { typeList } from '../../../parts/data/lists.ts';
import { useParameters } from '../../../parts/data/use-parameters.ts';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { ShowMore } from '../../../parts/layout/paging.tsx';
import { ListSearch } from '../../../parts/list/list-search.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { HistoryProblem } from '../../../parts/problems/problem-alert.tsx';
import { DeletedTable } from './deleted-table.tsx';

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
