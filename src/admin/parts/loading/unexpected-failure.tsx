/**
 * Shows that the UI itself failed to render, which is a bug.
 */
import { Center } from '@mantine/core';
import { useRouteError } from 'react-router';
import { PageFailure } from './page-failure.tsx';

/** The failure, without the frame. */
export function UnexpectedFailure() {
  const error = useRouteError();
  return (
    <Center mih="100vh" p="md" component="main">
      <PageFailure error={error} onRetry={() => window.location.reload()} />
    </Center>
  );
}
