/**
 * Loads the next page of a list whose length is not known.
 */
import { Button, Group, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

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
