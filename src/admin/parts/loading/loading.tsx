/**
 * Shows that something is loading.
 */
import { Center, Loader } from '@mantine/core';

/** A spinner in the middle of where the content will be. */
export function Loading() {
  return (
    <Center mih={200} role="status">
      <Loader role="img" aria-label="Loading" />
    </Center>
  );
}
