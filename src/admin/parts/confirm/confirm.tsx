/**
 * Asks for confirmation before an action.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode, SyntheticEvent } from 'react';
import { BusyButton } from '../forms/busy-button.tsx';
import { useAction } from '../forms/use-action.ts';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { TextDialog } from './text-dialog.tsx';

/** What every such dialog is given. `onConfirm` may fail, which the dialog says. */
export interface ConfirmProps {
  title: string;
  consequence: string;
  action: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** A dialog with a button for the action, enabled once `isReady`, and red unless the action takes nothing away. `children` are facts or questions to show before it. */
export function Confirm({
  title,
  consequence,
  action,
  isOpen,
  onClose,
  onConfirm,
  isReady = true,
  size = 'md',
  color = 'red',
  nameOf,
  children,
}: ConfirmProps & {
  isReady?: boolean;
  size?: string;
  color?: string;
  /** Names the place of a problem that an error tells. */
  nameOf?: (path: string) => string;
  children?: ReactNode;
}) {
  const { run, error, isPending, reset } = useAction(onConfirm);
  const close = () => {
    reset();
    onClose();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    // A form in a dialog must not submit the form below it.
    event.stopPropagation();
    if (isReady) run();
  };
  return (
    <TextDialog opened={isOpen} onClose={close} title={title} size={size}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{consequence}</Text>
          {children}
          <ProblemAlert error={error} title="The action failed" nameOf={nameOf} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <BusyButton color={color} disabled={!isReady} isBusy={isPending}>
              {action}
            </BusyButton>
          </Group>
        </Stack>
      </form>
    </TextDialog>
  );
}
