/**
 * A dialog for a value that is shown only once. Only its button closes it, so that a stray click or key cannot lose the value.
 */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** The dialog with the value to copy. */
export function ShownOnce({
  title,
  isOpen,
  onClose,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Modal
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
        <Text size="sm">This is shown only once. Store it now: Colophon keeps only a hash.</Text>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
