/**
 * Shows that a page failed to render, which is a bug.
 */
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
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
