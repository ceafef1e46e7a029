/**
 * The button that reads everything on a page again. It does not happen by itself, since that would keep the session of a forgotten tab
 * alive.
 */
import { Button } from '@mantine/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';

/** The button; it shows when something is read again, but not while the page is opened. */
export function Refresh() {
  const client = useQueryClient();
  const isFetching = useIsFetching({ predicate: ({ state }) => state.data !== undefined }) > 0;
  return (
    <Button variant="default" size="xs" loading={isFetching} onClick={() => client.invalidateQueries()}>
      Refresh
    </Button>
  );
}
