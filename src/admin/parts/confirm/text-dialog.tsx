/**
 * A dialog that people write in: once there is text that was typed in it, Escape, a click outside and "Close" ask before it closes.
 */
import { Alert, Button, Group, type ModalProps } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';

/** The dialog; it asks while `isUnsaved`, which says that what was typed would be lost. */
export function TextDialog({
  onClose,
  isUnsaved = true,
  children,
  ...rest
}: ModalProps & { isUnsaved?: boolean; children: ReactNode }) {
  const [isTyped, setIsTyped] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  if (!rest.opened && (isTyped || isAsking)) {
    setIsTyped(false);
    setIsAsking(false);
  }
  const close = () => (isTyped && isUnsaved ? setIsAsking(true) : onClose());
  return (
    <Dialog {...rest} onClose={close}>
      {isAsking && (
        <Alert
          color="orange"
          variant="light"
          role="alert"
          mb="md"
          title="What you have typed here is not saved"
        >
          <Group gap="xs">
            <Button size="xs" color="red" onClick={onClose}>
              Discard it
            </Button>
            <Button size="xs" variant="default" onClick={() => setIsAsking(false)} data-autofocus>
              Go on
            </Button>
          </Group>
        </Alert>
      )}
      <div onInput={(event) => isText(event) && setIsTyped(true)}>{children}</div>
    </Dialog>
  );
}

/** Whether text was typed, rather than a box checked. Names that are typed to confirm something are no loss. */
function isText({ target }: FormEvent): boolean {
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'file'].includes(target.type) && target.dataset.repeated === undefined;
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
