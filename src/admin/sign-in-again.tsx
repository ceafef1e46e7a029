/**
 * The dialog that asks the user to sign in again when the session has ended.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { sessionKeeper, type User } from './api.ts';
import { toHref } from './base-path.ts';
import { Dialog } from './parts/confirm/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useProviderLabel } from './sign-in-methods.ts';

/** The dialog; `user` is the one whose session it was. It does not go away by a slip, since calls wait for it. */
export function SignInAgain({ user, isOpen }: { user: User; isOpen: boolean }) {
  const dismiss = () => sessionKeeper.dismiss();
  return (
    <Dialog
      opened={isOpen}
      onClose={dismiss}
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
      {user.signInMethod === 'password' ? (
        <SignInForm email={user.email} onCancel={dismiss} />
      ) : (
        <ProviderWindow email={user.email} onCancel={dismiss} />
      )}
    </Dialog>
  );
}

/** Leads to the provider in another window, which tells this page when the session is back. A link, because no browser blocks it. */
function ProviderWindow({ email, onCancel }: { email: string; onCancel: () => void }) {
  const label = useProviderLabel() ?? 'OpenID Connect';
  return (
    <Stack>
      <Text size="sm">
        You are signed in as <strong>{email}</strong>. A new window opens for the sign-in.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Not now
        </Button>
        <Button
          component="a"
          href={toHref('/admin/sign-in/begin')}
          target="_blank"
          rel="noopener"
          data-autofocus
        >
          Sign in with {label}
        </Button>
      </Group>
    </Stack>
  );
}
