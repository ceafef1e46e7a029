/**
 * The list of all users with their actions.
 */
import { Text } from '@mantine/core';
import type { ListedUser } from '../../api.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useSession } from '../../session.ts';
import type { ChosenAction, UserAction } from './user-dialogs.tsx';

const labels: Readonly<Record<UserAction, string>> = {
  role: 'Change role…',
  link: 'New link…',
  disable: 'Disable…',
  enable: 'Enable…',
  delete: 'Delete…',
};

export function UserTable({
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
