/**
 * Data that loads: a spinner in its place, the error when it fails, the parts of a page together, and reading again.
 */
import { Box, Button, Center, Loader, Stack } from '@mantine/core';
import { type Query, type UseQueryResult, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { type LoadProblem, ProblemAlert } from '../problems/problem-alert.tsx';

/** A spinner in the middle of where the content will be. */
export function Loading() {
  return (
    <Center mih={200} role="status">
      <Loader role="img" aria-label="Loading" />
    </Center>
  );
}

/** Shows `children` of the data of `query` once there is any; `what` names it in the failure, such as `API clients`. */
export function Loaded<Data>({
  query,
  what,
  Problem = ProblemAlert,
  children,
}: {
  query: UseQueryResult<Data>;
  what: string;
  /** Tells the failure. */
  Problem?: LoadProblem;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isFetching || query.isPending) return <Loading />;
  return <Problem error={query.error} title={`Could not load: ${what}`} onRetry={query.refetch} />;
}

/** How long parts that are there wait for the others. */
const maxWaitMs = 1_000;

/** Keeps the place of the parts, and shows them when all that they read at first is there, or after a second. */
export function Together({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  const client = useQueryClient();
  const count = useIsFetching({ predicate: isFirst });
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), maxWaitMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    // The parts have begun to read before this effect runs.
    if (client.isFetching({ predicate: isFirst }) === 0) setShown(true);
  }, [client, count]);
  return (
    <Box pos="relative">
      {!isShown && (
        <Box pos="absolute" inset={0}>
          <Loading />
        </Box>
      )}
      <Stack gap="md" style={isShown ? {} : { visibility: 'hidden' }}>
        {children}
      </Stack>
    </Box>
  );
}

const isFirst = ({ state }: Query) => state.status === 'pending';

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
