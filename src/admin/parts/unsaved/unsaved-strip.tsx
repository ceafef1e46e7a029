/**
 * Offers what the browser has kept of a form.
 */
import { Alert, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { describeMoment } from '../time/local-time.ts';

/** The strip; without `onRestore` the texts can only be read, as `children` show them. */
export function UnsavedStrip({
  at,
  children,
  onRestore,
  onDiscard,
}: {
  at: number;
  children?: ReactNode;
  onRestore?: (() => void) | undefined;
  onDiscard: () => void;
}) {
  const [nowMs] = useState(Date.now);
  return (
    <Alert
      color="orange"
      variant="light"
      role="status"
      title={`You have unsaved changes from ${describeMoment(at, nowMs)}`}
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      <Group gap="xs" mt="xs">
        {onRestore && (
          <Button variant="default" size="xs" onClick={onRestore}>
            Restore them
          </Button>
        )}
        <Button variant="default" size="xs" onClick={onDiscard}>
          Discard them
        </Button>
      </Group>
    </Alert>
  );
}
