/**
 * Confirms a deletion by asking the user to type the name.
 */
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm, type ConfirmProps } from './confirm.tsx';

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
