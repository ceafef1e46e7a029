/**
 * The error of a save. When another user has changed the resource, it offers to reload.
 */
import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api.ts';
import { ProblemAlert } from '../problems/problem-alert.tsx';

/** An alert for the error of a save; `onReload` shows the present state, and offers one's own changes again. */
export function SaveProblem({
  error,
  lastSave,
  onReload,
}: {
  error: unknown;
  /** Who the other user is. */
  lastSave?: ReactNode;
  onReload: () => void;
}) {
  if (!(error instanceof ApiProblem && error.status === 412)) {
    return <ProblemAlert error={error} title="Not saved" />;
  }
  return (
    <Alert color="red" variant="light" title="Someone else has changed this" role="alert">
      {lastSave}
      <Text size="sm">
        Your changes were not saved, because they would overwrite theirs. Reload to see the current state;
        your changes are then offered to you again.
      </Text>
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={onReload}>
          Reload
        </Button>
      </Group>
    </Alert>
  );
}
