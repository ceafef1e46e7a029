/**
 * The dialogs that ask before a user is changed, and the choice of a role.
 */

import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { ListedUser, Role, UserInvitation } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { roleMeanings, roles } from '../../roles.ts';
import { useUserChanges } from './user-data.ts';

/** What can be done to a user. */
export type UserAction = 'role' | 'link' | 'disable' | 'enable' | 'delete';

/** An action to ask about. */
export interface ChosenAction {
  readonly user: ListedUser;
  readonly action: UserAction;
}

/** The dialog of an action; `onLinked` receives a new link. */
export function UserDialog({
  chosen,
  onClose,
  onLinked,
}: {
  chosen: ChosenAction;
  onClose: () => void;
  onLinked: (invitation: UserInvitation) => void;
}) {
  const { user, action } = chosen;
  const { update, renew, remove } = useUserChanges();
  if (action === 'role') return <ChangeRole user={user} onClose={onClose} />;
  const acts = {
    link: async () => onLinked(await renew(user.id)),
    disable: async () => void (await update(user.id, { disabled: true })),
    enable: async () => void (await update(user.id, { disabled: false })),
    delete: async () => void (await remove(user.id)),
  };
  return (
    <Confirm
      {...words[action](user)}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await acts[action]();
        onClose();
      }}
    />
  );
}

function ChangeRole({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { update } = useUserChanges();
  const [role, setRole] = useState(user.role);
  return (
    <Confirm
      title={`Change the role of ${user.email}`}
      consequence="The new role holds from the next request of the user on."
      action="Change role"
      color="indigo"
      isReady={role !== user.role}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await update(user.id, { role });
        onClose();
      }}
    >
      <RoleSelect value={role} onChange={setRole} />
    </Confirm>
  );
}

/** How a user signs in. */
const ways: Readonly<Record<ListedUser['signInMethod'], string>> = {
  password: 'with the same password',
  'openid-connect': 'by OpenID Connect',
};

/** What the dialog of each action says. */
const words: Readonly<
  Record<
    Exclude<UserAction, 'role'>,
    (user: ListedUser) => { title: string; consequence: string; action: string; color?: string }
  >
> = {
  link: ({ email, state }) => ({
    title: `Create a new link for ${email}?`,
    consequence:
      state === 'invited'
        ? 'The link before stops working.'
        : 'With the link, the user sets a new password. Until then the present password stays valid.',
    action: 'Create link',
    color: 'indigo',
  }),
  disable: ({ email }) => ({
    title: `Disable ${email}?`,
    consequence: 'The sessions of the user end immediately, and nobody can sign in as this user.',
    action: 'Disable',
  }),
  enable: ({ email, state, signInMethod }) => ({
    title: `Enable ${email}?`,
    consequence:
      state === 'disabled' ? `The user can sign in again ${ways[signInMethod]}.` : 'The user is enabled.',
    action: 'Enable',
    color: 'indigo',
  }),
  delete: ({ email, signInMethod }) => ({
    title: `Delete ${email}?`,
    consequence:
      signInMethod === 'password'
        ? 'The user is removed for good. The audit log keeps what the user did.'
        : 'The user is removed, until the person signs in by OpenID Connect again. To keep the person out, disable the user.',
    action: 'Delete',
  }),
};

/** The field; `error` is what the server says about it. */
export function RoleSelect({
  value,
  onChange,
  error,
}: {
  value: Role;
  onChange: (role: Role) => void;
  error?: string | undefined;
}) {
  const choose = (text: string) => {
    const chosen = roles.find((role) => role === text);
    if (chosen) onChange(chosen);
  };
  return (
    <NativeSelect
      label="Role"
      description={roleMeanings[value]}
      data={[...roles]}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
      error={error}
    />
  );
}
