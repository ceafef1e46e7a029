/**
 * A section of the page: the list of one kind of resource, a page at a time, or how to create the first one.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { countOf, formatDuration, formatNumber } from '../../parts/data/number-words.ts';
import { useParameters } from '../../parts/data/use-parameters.ts';
import { EmptyState, Section } from '../../parts/layout/page.tsx';
import { Paging } from '../../parts/layout/paging.tsx';
import { ListSearch } from '../../parts/list/list-search.tsx';
import type { ListColumn } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { describeTime } from '../../parts/time/local-time.ts';
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
    <Section
      title={title}
      actions={
        <Group gap="xs">
          {isSearched && (
            <>
              <ListSearch
                label={`Search ${title}`}
                placeholder={search}
                search={list.search}
                onSearch={(text) => list.change({ search: text })}
              />
              {controls}
            </>
          )}
          {button}
        </Group>
      }
    >
      <Stack gap="xs">
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

/** The requests of an endpoint or a route. */
interface Traffic {
  readonly requests: number;
  readonly errors: number;
  readonly medianMs?: number | undefined;
}

/** The median time, a dash without requests. */
export const describeMedian = ({ medianMs }: Traffic) =>
  medianMs === undefined ? '–' : formatDuration(medianMs);

/** The columns of the figures. Those of a list that the server sorts `isSorted` by their heads. */
export function trafficColumns(isSorted = false): readonly ListColumn<Traffic>[] {
  const figures = [
    { id: 'requests', head: 'Requests', shown: ({ requests }: Traffic) => formatNumber(requests) },
    { id: 'errors', head: 'Errors', shown: ({ errors }: Traffic) => formatNumber(errors) },
    { id: 'medianMs', head: 'Median', shown: describeMedian },
  ];
  return figures.map(({ id, head, shown }) => ({
    id,
    head,
    isFigure: true,
    ...(isSorted && { value: () => '' }),
    cell: (traffic) => (
      <Text
        span
        inherit
        {...(traffic.requests === 0 && { c: 'dimmed' })}
        {...(id === 'errors' && traffic.errors > 0 && { c: 'var(--mantine-color-error)', fw: 600 })}
      >
        {shown(traffic)}
      </Text>
    ),
  }));
}

/** What the numbers cover. */
export function TrafficNote({ since, uncounted }: { since: number; uncounted: number }) {
  return (
    <Text size="xs" c="dimmed">
      Requests, errors and median time are those of this server since {describeTime(since)}, at most an hour
      ago.
      {uncounted > 0 &&
        ` ${countOf(uncounted, 'request')} of that time are missing: there are too many routes to count each.`}
    </Text>
  );
}
