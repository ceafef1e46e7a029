/**
 * A dialog for what can be had only now. It closes by its button alone, so that nothing is lost by a slip.
 */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** The dialog with what is to be taken away. */
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
        <Text size="sm">This is shown once. Store it now: only a hash of it is kept.</Text>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
