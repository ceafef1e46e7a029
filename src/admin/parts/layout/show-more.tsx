/**
 * Loads the next page of a list whose length is not known.
 */
import { Button, Group } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';

/** A button while there are more pages. */
export function ShowMore<Page>({
  query,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<Page>>;
  children: string;
}) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <Group mt="sm">
      <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {children}
      </Button>
    </Group>
  );
}
