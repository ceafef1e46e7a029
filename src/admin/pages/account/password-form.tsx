/**
 * Changes the password of the signed-in user.
 */
import { Group, PasswordInput, type PasswordInputProps, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { admin, answer } from '../../api.ts';
import { BusyButton } from '../../parts/forms/busy-button.tsx';
import { errorAt } from '../../parts/forms/error-at.ts';
import { newPasswordRule } from '../../parts/forms/new-password-rule.ts';
import { useAction } from '../../parts/forms/use-action.ts';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { ownSessionList } from './sessions.tsx';

const empty = { currentPassword: '', newPassword: '' };

/** The form. It is cleared once the password has changed. */
export function PasswordForm() {
  const client = useQueryClient();
  const [fields, setFields] = useState(empty);
  const change = async (body: typeof empty) => {
    await answer(admin.changeOwnPassword({ body }));
    await client.invalidateQueries({ queryKey: ownSessionList.queryKey });
  };
  const { run, error, isPending } = useAction(change, {
    onSuccess: () => {
      setFields(empty);
      notifications.show({ message: 'Your password has changed. Your other sessions have ended.' });
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    run(fields);
  };
  const input = (name: keyof typeof empty, props: PasswordInputProps & { readonly label: string }) => (
    <PasswordInput
      {...props}
      required
      value={fields[name]}
      onChange={({ currentTarget: { value } }) => setFields((before) => ({ ...before, [name]: value }))}
      error={errorAt(error, name)}
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide: ${props.label}` }}
    />
  );
  const isPlaced = (['currentPassword', 'newPassword'] as const).some(
    (name) => errorAt(error, name) !== undefined,
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Change the password">
      <Stack gap="xs" maw={400}>
        {input('currentPassword', { label: 'Present password', autoComplete: 'current-password' })}
        {input('newPassword', {
          label: 'New password',
          autoComplete: 'new-password',
          description: `${newPasswordRule} Your other sessions end.`,
        })}
        {!isPlaced && <ProblemAlert error={error} title="Your password has not changed" />}
        <Group>
          <BusyButton isBusy={isPending}>Change password</BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
