/**
 * A dialog for a value that is shown only once. Only its button closes it, so that a stray click or key cannot lose the value.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../confirm/dialog.tsx';

/** The dialog with the value to copy; `why` says why it cannot be shown again. */
export function ShownOnce({
  title,
  why = 'Colophon keeps only a hash.',
  isOpen,
  onClose,
  children,
}: {
  title: string;
  why?: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      // What it shows is gone at once, so it cannot fade.
      transitionProps={{ duration: 0 }}
    >
      <Stack>
        <Text size="sm">This is shown only once. Store it now: {why}</Text>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
