/**
 * The table of all users with their actions.
 */
import { Button, Group, Table, Text } from '@mantine/core';
import type { ListedUser } from '../../api.ts';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { useSession } from '../../session.ts';
import type { ChosenAction, UserAction } from './user-dialogs.tsx';

const labels: Readonly<Record<UserAction, string>> = {
  role: 'Change role…',
  link: 'New link…',
  disable: 'Disable…',
  enable: 'Enable…',
  delete: 'Delete…',
};

/** A row for each user. */
export function UserTable({
  users,
  onAction,
}: {
  users: readonly ListedUser[];
  onAction: (chosen: ChosenAction) => void;
}) {
  const ownId = useSession()?.user.id;
  return (
    <DataTable label="Users" columns={['User', 'Role', 'State', 'Actions']} minWidth={760}>
      {users.map((user) => (
        <Table.Tr key={user.id}>
          <Table.Td>
            {user.email}
            <Text span size="xs" c="dimmed" display="block">
              {[
                user.name,
                user.id === ownId ? 'You' : undefined,
                isOfProvider(user) ? 'OpenID Connect' : undefined,
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </Table.Td>
          <Table.Td>{user.role}</Table.Td>
          <Table.Td>
            <State user={user} />
          </Table.Td>
          <Table.Td>
            <Group gap={4}>
              {actionsOf(user).map((action) => (
                <Button
                  key={action}
                  size="compact-sm"
                  variant="default"
                  aria-label={`${labels[action].replace('…', '')}: ${user.email}`}
                  onClick={() => onAction({ user, action })}
                >
                  {labels[action]}
                </Button>
              ))}
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function State({ user: { state, invitedUntil } }: { user: ListedUser }) {
  if (state === 'active') return <Mark color="green">Active</Mark>;
  if (state === 'disabled') return <Mark color="red">Disabled</Mark>;
  return (
    <>
      <Mark color="orange">Invited</Mark>
      {invitedUntil !== undefined && (
        <Text span size="xs" c="dimmed" display="block">
          until <Moment ms={invitedUntil} />
        </Text>
      )}
    </>
  );
}

const isOfProvider = ({ signInMethod }: ListedUser) => signInMethod === 'openid-connect';

/** What can be done to a user; the role and the password of some are those of the provider. */
function actionsOf(user: ListedUser): readonly UserAction[] {
  const actions: readonly UserAction[] =
    user.state === 'disabled' ? ['role', 'enable', 'delete'] : ['role', 'link', 'disable', 'delete'];
  return isOfProvider(user) ? actions.filter((action) => action !== 'role' && action !== 'link') : actions;
}
