/**
 * Invites a user by email and role.
 */
import { Group, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import type { Role, UserInvitation } from '../../api.ts';
import { BusyButton } from '../../parts/forms/busy-button.tsx';
import { errorAt } from '../../parts/forms/error-at.ts';
import { useAction } from '../../parts/forms/use-action.ts';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { RoleSelect } from './role-select.tsx';
import { useUserChanges } from './user-data.ts';

/** The form. It is cleared once the user is invited. */
export function Invite({ onInvited }: { onInvited: (invitation: UserInvitation) => void }) {
  const { invite } = useUserChanges();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const { run, error, isPending } = useAction(invite, {
    onSuccess: (invitation) => {
      setEmail('');
      onInvited(invitation);
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    run({ email, role });
  };
  const flaw = errorAt(error, 'email');
  return (
    <form onSubmit={submit} noValidate aria-label="Invite a user">
      <Stack gap="xs" maw={400}>
        <TextInput
          label="Email"
          type="email"
          required
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={flaw}
        />
        <RoleSelect value={role} onChange={setRole} />
        {flaw === undefined && <ProblemAlert error={error} title="Nobody was invited" />}
        <Group>
          <BusyButton isBusy={isPending}>Invite</BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
