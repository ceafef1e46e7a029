/**
 * Shows that a page, or the UI itself, failed to render, which is a bug.
 */
import { Button, Center, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouteError } from 'react-router';
import { Page } from '../layout/page.tsx';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { reload } from './page-load.ts';

/** The failure; `onRetry` renders the page again, which then loads its data again. */
export function PageFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const client = useQueryClient();
  const tryAgain = () => {
    client.removeQueries({ type: 'inactive' });
    onRetry();
  };
  return (
    <Page title="This page failed">
      <ProblemAlert error={error} title="Something in this page went wrong" />
      <Text size="sm">What you saved is safe. If trying again does not help, reload Colophon.</Text>
      <Group>
        <Button onClick={tryAgain}>Try again</Button>
        <Button variant="default" onClick={reload}>
          Reload
        </Button>
      </Group>
    </Page>
  );
}

/** The failure, without the frame. */
export function UnexpectedFailure() {
  const error = useRouteError();
  return (
    <Center mih="100vh" p="md" component="main">
      <PageFailure error={error} onRetry={() => window.location.reload()} />
    </Center>
  );
}
