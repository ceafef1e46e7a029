/**
 * The way to further items of a list: by pages, or by a button below it.
 */
import { Button, Group, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatNumber } from '../data/number-words.ts';
import { Loading } from '../loading/loading.tsx';
import { type LoadProblem, ProblemAlert } from '../problems/problem-alert.tsx';

/** Buttons for the pages of `count` things, of which `limit` are shown from `offset` on. */
export function Paging({
  offset,
  limit,
  count,
  onMove,
  label = 'Pages',
}: {
  offset: number;
  limit: number;
  count: number;
  onMove: (offset: number) => void;
  /** Tells screen readers what the pages are of. */
  label?: string;
}) {
  const end = Math.min(offset + limit, count);
  const last = limit > 0 ? Math.max(0, Math.ceil(count / limit) - 1) * limit : 0;
  const steps = [
    { label: 'First', to: 0, isThere: offset > 0 },
    { label: 'Previous', to: Math.max(0, offset - limit), isThere: offset > 0 },
    { label: 'Next', to: offset + limit, isThere: limit > 0 && end < count },
    { label: 'Last', to: last, isThere: limit > 0 && end < count },
  ];
  return (
    <Group component="nav" aria-label={label} justify="space-between" gap="xs" flex={1}>
      <Text size="sm" aria-live="polite">
        {end > offset
          ? `${formatNumber(offset + 1)} to ${formatNumber(end)} of ${formatNumber(count)}`
          : `None of ${formatNumber(count)} here`}
      </Text>
      <Button.Group>
        {steps.map(({ label, to, isThere }) => (
          <Button key={label} variant="default" size="xs" disabled={!isThere} onClick={() => onMove(to)}>
            {label}
          </Button>
        ))}
      </Button.Group>
    </Group>
  );
}

/** Shows `children` of the items that were read so far, `empty` where there are none, and a button with the label `more` while there are more. */
export function LoadedPages<Item>({
  query,
  what,
  more,
  empty,
  Problem = ProblemAlert,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly Item[] }>>;
  /** Names the items in the failure, such as `runs`. */
  what: string;
  more: string;
  empty?: ReactNode;
  /** Tells the failure. */
  Problem?: LoadProblem;
  children: (items: readonly Item[]) => ReactNode;
}) {
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div>
      <Problem error={query.error} title={`Could not load: ${what}`} onRetry={query.refetch} />
      {query.isPending && <Loading />}
      {query.data && items.length === 0 && !query.hasNextPage && empty}
      {items.length > 0 && children(items)}
      <ShowMore query={query}>{more}</ShowMore>
    </div>
  );
}

/** How many pages without items are passed at one click. The server ends a page where its search has taken long enough. */
const maxPages = 10;

/** A button while there are more pages. It says so when there was nothing more. */
export function ShowMore<Page extends { readonly items: readonly unknown[] } | readonly unknown[]>({
  query,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<Page>>;
  children: string;
}) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const [result, setResult] = useState('');
  async function showMore(): Promise<void> {
    setResult('');
    for (let count = 0; count < maxPages; count++) {
      const read = await fetchNextPage();
      if (read.isError || countItems(read.data?.pages.at(-1)) > 0) return;
      if (!read.hasNextPage) return setResult('There is nothing more.');
    }
    setResult('Nothing was found so far. There is more to search.');
  }
  if (!hasNextPage && result === '') return null;
  return (
    <Group mt="sm">
      {hasNextPage && (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void showMore()}>
          {children}
        </Button>
      )}
      <Text size="sm" role="status">
        {result}
      </Text>
    </Group>
  );
}

function countItems(page: { readonly items: readonly unknown[] } | readonly unknown[] | undefined): number {
  if (page === undefined) return 0;
  return 'items' in page ? page.items.length : page.length;
}
