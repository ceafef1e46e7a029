/**
 * A section of the page: the list of one kind of resource, a page at a time, or how to create the first one.
 */
import { Button, Group, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useParameters } from '../../parts/data/use-parameters.ts';
import { EmptyState, Section } from '../../parts/layout/page.tsx';
import { Paging } from '../../parts/layout/paging.tsx';
import { ListSearch } from '../../parts/list/list-search.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { pageSize } from './endpoint-lists.ts';

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

/** The state of a list, and how to change it. */
export interface ListState {
  readonly search: string;
  readonly offset: number;
  /** Returns the chosen one of some values; undefined if none of them is. */
  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined;
  /** Changes members; an empty text removes one. All changes but that of the page lead to the first page. */
  change(members: Readonly<Record<string, string>>): void;
  move(offset: number): void;
}

/** Reads the state of the list whose parameters begin with `prefix`. */
export function useListState(prefix: string): ListState {
  const [parameters, changeParameters] = useParameters();
  const nameOf = (member: string) => `${prefix}.${member}`;
  const offset = Number(parameters.get(nameOf('offset')));

  function change(members: Readonly<Record<string, string>>): void {
    const next = (before: URLSearchParams) => {
      const after = new URLSearchParams(before);
      for (const [member, value] of Object.entries({ offset: '', ...members })) {
        if (value === '') after.delete(nameOf(member));
        else after.set(nameOf(member), value);
      }
      return after;
    };
    changeParameters(next, { replace: true, preventScrollReset: true });
  }

  return {
    search: parameters.get(nameOf('search')) ?? '',
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    choice: (name, values) => values.find((value) => value === parameters.get(nameOf(name))),
    change,
    move: (to) => change({ offset: to === 0 ? '' : String(to) }),
  };
}
