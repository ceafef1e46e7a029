/**
 * A section of the page: the list of one kind of resource, a page at a time, or how to create the first one.
 */
import { Button, Group, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { EmptyState, Section } from '../../parts/layout/page.tsx';
import { Paging } from '../../parts/layout/paging.tsx';
import { ListSearch } from '../../parts/list/list-search.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { pageSize } from './endpoint-lists.ts';
import type { ListState } from './use-list-state.ts';

/** A page of a list. */
interface ListPage {
  readonly count: number;
  readonly items: readonly unknown[];
}

/** Lists of at most this many resources have no search. */
const maxUnsearched = 5;

/** A section with a button that creates a resource. `children` lists the items. */
export function ListSection<Data extends ListPage>({
  title,
  query,
  list,
  create,
  empty,
  search,
  controls,
  isFiltered = list.search !== '',
  note,
  after,
  children,
}: {
  title: string;
  query: UseQueryResult<Data>;
  list: ListState;
  create: { to: string; label: string };
  empty: { title: string; advice: ReactNode };
  /** What a search looks at. */
  search: string;
  controls?: ReactNode;
  isFiltered?: boolean;
  note?: (data: Data) => ReactNode;
  after?: (data: Data) => ReactNode;
  children: (items: Data['items']) => ReactNode;
}) {
  const [isSearched, setSearched] = useState(false);
  // A search that was once there stays, also where it finds little.
  if (!isSearched && (isFiltered || (query.data?.count ?? 0) > maxUnsearched)) setSearched(true);
  const button = (
    <Button component={Link} to={create.to} size="xs" variant="default">
      {create.label}
    </Button>
  );
  return (
    <Section title={title} actions={button}>
      <Stack gap="xs">
        {isSearched && (
          <Group gap="xs">
            <ListSearch
              label={`Search ${title}`}
              placeholder={search}
              search={list.search}
              onSearch={(text) => list.change({ search: text })}
            />
            {controls}
          </Group>
        )}
        <Loaded query={query} what={title}>
          {(data) => (
            <>
              {data.count > 0 ? children(data.items) : <NothingListed {...{ isFiltered, empty }} />}
              {data.count > pageSize && (
                <Paging
                  label={`Pages of ${title}`}
                  offset={list.offset}
                  limit={pageSize}
                  count={data.count}
                  onMove={list.move}
                />
              )}
              {data.count > 0 && note?.(data)}
              {after?.(data)}
            </>
          )}
        </Loaded>
      </Stack>
    </Section>
  );
}

function NothingListed({
  isFiltered,
  empty,
}: {
  isFiltered: boolean;
  empty: { title: string; advice: ReactNode };
}) {
  if (isFiltered)
    return <EmptyState title="Nothing matches">Change the search, or clear it to see all.</EmptyState>;
  return <EmptyState title={empty.title}>{empty.advice}</EmptyState>;
}
