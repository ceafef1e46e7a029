/**
 * The dialog that asks the user to sign in again when the session has ended.
 */
import { Modal, Text } from '@mantine/core';
import { sessionKeeper } from './api.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The dialog; `email` is of the user whose session it was. It does not go away by a slip, since calls wait for it. */
export function SignInAgain({ email, isOpen }: { email: string; isOpen: boolean }) {
  return (
    <Modal
      opened={isOpen}
      onClose={() => sessionKeeper.dismiss()}
      title="Your session has ended"
      closeOnClickOutside={false}
      // A dialog below it would close as well.
      closeOnEscape={false}
      withCloseButton={false}
      // Above every other dialog.
      zIndex={400}
    >
      <Text size="sm" mb="md">
        Sign in again to continue. This page keeps everything you have typed.
      </Text>
      <SignInForm email={email} onCancel={() => sessionKeeper.dismiss()} />
    </Modal>
  );
}
