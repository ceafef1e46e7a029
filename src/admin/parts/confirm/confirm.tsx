/**
 * Asks for confirmation before an action, also by the name of what it is about.
 */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { BusyButton, useAction } from '../forms/busy-button.tsx';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { TextDialog } from './dialog.tsx';

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

/**
 * A dialog whose button is enabled once `name` is typed, and while `isReady`. `children` are facts to show before it. The dialog
 * shows the error if `onConfirm` fails.
 */
export function ConfirmByName({
  name,
  onClose,
  isReady = true,
  children,
  ...rest
}: ConfirmProps & { name: string; isReady?: boolean; children?: ReactNode }) {
  const [typed, setTyped] = useState('');
  const close = () => {
    setTyped('');
    onClose();
  };
  return (
    <Confirm {...rest} onClose={close} isReady={isReady && typed === name}>
      {children}
      <TextInput
        label={`Type ${name} to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-repeated
        data-autofocus
      />
    </Confirm>
  );
}
