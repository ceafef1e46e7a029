/**
 * The sign-in form, for the sign-in page and the dialog.
 */
import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { SyntheticEvent } from 'react';
import { BusyButton, useAction } from './parts/forms/busy-button.tsx';
import { ProblemAlert } from './parts/problems/problem-alert.tsx';
import { signIn } from './session.ts';

/** The form; with an `email` it begins at the password. */
export function SignInForm({ email, onCancel }: { email?: string; onCancel?: () => void }) {
  const { run, isPending, error } = useAction(signIn);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    run({ email: String(form.get('email')), password: String(form.get('password')) });
  };
  return (
    <form onSubmit={submit} aria-label="Sign in">
      <Stack>
        <TextInput
          label="Email"
          name="email"
          autoComplete="username"
          required
          defaultValue={email}
          autoFocus={email === undefined}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        />
        <ProblemAlert error={error} title="Sign-in failed" />
        <Group grow={onCancel === undefined} justify="flex-end">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Not now
            </Button>
          )}
          <BusyButton isBusy={isPending}>Sign in</BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
