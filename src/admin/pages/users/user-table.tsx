/**
 * The table of all users with their actions.
 */
import { ActionIcon, Button, Group, Menu, Table, Text } from '@mantine/core';
import type { ListedUser } from '../../api.ts';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { MoreIcon } from '../../parts/layout/icons.ts';
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
            {user.email}{' '}
            <Text span size="xs" c="dimmed">
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
            <Actions user={user} onAction={onAction} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/** The first action as a button, the others in a menu. */
function Actions({ user, onAction }: { user: ListedUser; onAction: (chosen: ChosenAction) => void }) {
  const [first, ...others] = actionsOf(user);
  const nameOf = (action: UserAction) => `${labels[action].replace('…', '')}: ${user.email}`;
  return (
    <Group gap={4} wrap="nowrap">
      {first && (
        <Button
          size="compact-xs"
          variant="default"
          miw={96}
          aria-label={nameOf(first)}
          onClick={() => onAction({ user, action: first })}
        >
          {labels[first]}
        </Button>
      )}
      {others.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" title="More" aria-label={`More actions: ${user.email}`}>
              <MoreIcon size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((action) => (
              <Menu.Item
                key={action}
                aria-label={nameOf(action)}
                {...(action === 'delete' && { c: 'var(--mantine-color-error)' })}
                onClick={() => onAction({ user, action })}
              >
                {labels[action]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
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
          until <Moment ms={invitedUntil} />
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
