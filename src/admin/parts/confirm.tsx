/**
 * Asks before something is done that cannot be undone.
 */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode, SyntheticEvent } from 'react';
import { BusyButton } from './busy-button.tsx';
import { ProblemAlert } from './problem-alert.tsx';

/** What every such dialog is given. `onConfirm` may fail, which the dialog says. */
export interface ConfirmProps {
  title: string;
  consequence: string;
  action: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** A dialog with a button that does it, once `isReady`; `children` is what has to be answered before. */
export function Confirm({
  title,
  consequence,
  action,
  isOpen,
  onClose,
  onConfirm,
  isReady = true,
  children,
}: ConfirmProps & { isReady?: boolean; children?: ReactNode }) {
  const { mutate, error, isPending, reset } = useMutation({ mutationFn: onConfirm });
  const close = () => {
    reset();
    onClose();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isReady && !isPending) mutate();
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{consequence}</Text>
          {children}
          <ProblemAlert error={error} title="That did not work" />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <BusyButton color="red" disabled={!isReady} isBusy={isPending}>
              {action}
            </BusyButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
