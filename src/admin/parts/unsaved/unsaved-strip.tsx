/**
 * Offers what the browser has kept of a form.
 */
import { Alert, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from '../confirm/confirm.tsx';
import { describeMoment } from '../time/local-time.ts';

/** The strip; `title` says what happened, if it was not that the page was left. It asks before it discards. Without `onRestore` the texts can only be read, as `children` show them. */
export function UnsavedStrip({
  at,
  title = 'You have unsaved changes',
  children,
  onRestore,
  onDiscard,
}: {
  at: number;
  title?: string | undefined;
  children?: ReactNode;
  onRestore?: (() => void) | undefined;
  onDiscard: () => void;
}) {
  const [nowMs] = useState(Date.now);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Alert color="orange" variant="light" role="status" title={`${title} from ${describeMoment(at, nowMs)}`}>
      <Text size="sm" component="div">
        {children}
      </Text>
      <Group gap="xs" mt="xs">
        {onRestore && (
          <Button variant="default" size="xs" onClick={onRestore}>
            Restore them
          </Button>
        )}
        <Button variant="default" size="xs" onClick={() => setIsAsking(true)}>
          Discard them
        </Button>
      </Group>
      <Confirm
        title="Discard them?"
        consequence="This browser keeps the unsaved changes no more, and nothing brings them back."
        action="Discard them"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={async () => {
          setIsAsking(false);
          onDiscard();
        }}
      />
    </Alert>
  );
}
