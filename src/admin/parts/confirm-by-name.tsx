/**
 * Asks whether something is really to go, by having its name typed.
 */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Confirm, type ConfirmProps } from './confirm.tsx';

/** A dialog whose button works once `name` is typed. `onConfirm` may fail, which the dialog says. */
export function ConfirmByName({ name, onClose, ...rest }: ConfirmProps & { name: string }) {
  const [typed, setTyped] = useState('');
  const close = () => {
    setTyped('');
    onClose();
  };
  return (
    <Confirm {...rest} onClose={close} isReady={typed === name}>
      <TextInput
        label={`Type ${name} to go on`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </Confirm>
  );
}
