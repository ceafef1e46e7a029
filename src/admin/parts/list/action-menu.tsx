/**
 * The menu of what can be done with a row of a list, or with what a page shows.
 */
import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link } from 'react-router';
import { MoreIcon } from '../layout/icons.ts';

/** An action in the menu: a link, or a function. `isDanger` is what cannot be undone. */
export type RowAction =
  | { readonly label: string; readonly to: string }
  | { readonly label: string; readonly run: () => void; readonly isDanger?: boolean };

/** The button with the menu, or of the only action if that can be undone; nothing without actions. `name` is what they act on. */
export function ActionMenu({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const [first, second] = actions;
  if (!first) return null;
  if (!second && 'run' in first && !first.isDanger)
    return (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${first.label} ${name}`}
        data-only
        onClick={first.run}
      >
        {first.label}
      </Button>
    );
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions: ${name}`} title="Actions">
          <MoreIcon size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) =>
          'to' in action ? (
            <Menu.Item key={action.label} component={Link} to={action.to}>
              {action.label}
            </Menu.Item>
          ) : (
            <Menu.Item
              key={action.label}
              {...(action.isDanger && { c: 'var(--mantine-color-error)' })}
              onClick={action.run}
            >
              {action.label}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
