/**
 * Shows the parts of a page together: what loads above others would push them down, one after another.
 */
import { Box, Stack } from '@mantine/core';
import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Loading } from './loading.tsx';

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
