/**
 * The page of all users: invites them, changes their roles, disables and deletes them.
 */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import type { ListedUser, Role, UserInvitation } from '../../api.ts';
import { Dialog } from '../../parts/confirm/dialog.tsx';
import { BusyButton, useAction } from '../../parts/forms/busy-button.tsx';
import { errorAt } from '../../parts/forms/error-at.ts';
import { CopyField, ShownOnce } from '../../parts/layout/copy-field.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { Page } from '../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Ago, Moment } from '../../parts/time/ago.tsx';
import { useSession } from '../../session.ts';
import { userList, useUserChanges } from './user-data.ts';
import { type ChosenAction, RoleSelect, type UserAction, UserDialog } from './user-dialogs.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [userList];

export default function Users() {
  const query = useQuery(userList);
  const [chosen, setChosen] = useState<ChosenAction>();
  const [invitation, setInvitation] = useState<UserInvitation>();
  const [isInviting, inviting] = useDisclosure(false);
  return (
    <Page title="Users" actions={<Button onClick={inviting.open}>Invite…</Button>}>
      <Dialog opened={isInviting} onClose={inviting.close} title="Invite a user">
        <Invite
          onInvited={(invited) => {
            inviting.close();
            setInvitation(invited);
          }}
        />
      </Dialog>
      <Loaded query={query} what="users">
        {({ items }) => <UserTable users={items} onAction={setChosen} />}
      </Loaded>
      {chosen && <UserDialog chosen={chosen} onClose={() => setChosen(undefined)} onLinked={setInvitation} />}
      <ShownOnce
        title={`Link for ${invitation?.user.email}`}
        isOpen={invitation !== undefined}
        onClose={() => setInvitation(undefined)}
      >
        {invitation && <Link invitation={invitation} />}
      </ShownOnce>
    </Page>
  );
}

function Link({ invitation: { path, expiresAt } }: { invitation: UserInvitation }) {
  return (
    <>
      <Text size="sm">
        Send this link to the person. It can be used once, until <Moment ms={expiresAt} />, to set a name and
        a password.
      </Text>
      <CopyField label="Link" text={new URL(path, window.location.origin).href} />
    </>
  );
}

/** The form in its dialog. */
function Invite({ onInvited }: { onInvited: (invitation: UserInvitation) => void }) {
  const { invite } = useUserChanges();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const { run, error, isPending } = useAction(invite, { onSuccess: onInvited });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    run({ email, role });
  };
  const flaw = errorAt(error, 'email');
  return (
    <form onSubmit={submit} noValidate aria-label="Invite a user">
      <Stack gap="sm">
        <TextInput
          label="Email"
          data-autofocus
          type="email"
          required
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={flaw}
        />
        <RoleSelect value={role} onChange={setRole} />
        {flaw === undefined && <ProblemAlert error={error} title="Nobody was invited" />}
        <Group justify="flex-end">
          <BusyButton isBusy={isPending}>Invite</BusyButton>
        </Group>
      </Stack>
    </form>
  );
}

const labels: Readonly<Record<UserAction, string>> = {
  role: 'Change role…',
  link: 'New link…',
  disable: 'Disable…',
  enable: 'Enable…',
  delete: 'Delete…',
};

/** The list of all users with their actions. */
function UserTable({
  users,
  onAction,
}: {
  users: readonly ListedUser[];
  onAction: (chosen: ChosenAction) => void;
}) {
  const ownId = useSession()?.user.id;
  const columns: ListColumn<ListedUser>[] = [
    {
      id: 'user',
      head: 'User',
      value: ({ email, name = '' }) => `${email} ${name}`,
      cell: (user) => (
        <>
          {user.email}{' '}
          <Text span size="xs" c="dimmed">
            {[user.name, user.id === ownId && 'You', isOfProvider(user) && 'OpenID Connect']
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </>
      ),
    },
    { id: 'role', head: 'Role', value: ({ role }) => role },
    { id: 'state', head: 'State', value: ({ state }) => state, cell: (user) => <State user={user} /> },
  ];
  return (
    <ResourceList
      label="Users"
      finds="in bar"
      columns={columns}
      rows={users}
      idOf={({ id }) => id}
      nameOf={({ email }) => email}
      menuOf={(user) =>
        actionsOf(user).map((action) => ({
          label: labels[action],
          isDanger: action === 'delete',
          run: () => onAction({ user, action }),
        }))
      }
    />
  );
}

function State({ user: { state, invitedUntil } }: { user: ListedUser }) {
  if (state === 'active') return <Mark color="green">Active</Mark>;
  if (state === 'disabled') return <Mark color="red">Disabled</Mark>;
  return (
    <>
      <Mark color="orange">Invited</Mark>
      {invitedUntil !== undefined && (
        <Text span size="xs" c="dimmed">
          {' '}
          expires <Ago ms={invitedUntil} />
        </Text>
      )}
    </>
  );
}

const isOfProvider = ({ signInMethod }: ListedUser) => signInMethod === 'openid-connect';

/** What can be done to a user, the likeliest first; the role and the password of some are those of the provider. */
function actionsOf(user: ListedUser): readonly UserAction[] {
  const actions = actionsIn[user.state];
  return isOfProvider(user) ? actions.filter((action) => action !== 'role' && action !== 'link') : actions;
}

const actionsIn: Readonly<Record<ListedUser['state'], readonly UserAction[]>> = {
  active: ['role', 'link', 'disable', 'delete'],
  invited: ['link', 'role', 'disable', 'delete'],
  disabled: ['enable', 'role', 'delete'],
};
