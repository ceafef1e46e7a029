/**
 * The menu in which a user chooses the columns of a list.
 */
import { Button, Checkbox, Popover, Stack, Text } from '@mantine/core';
import { labelOf } from '../../../parts/data/field-label.ts';
import type { ChosenColumns } from './use-columns.ts';

/** A button that opens the menu. */
export function ColumnChoice({ columns: { all, shown, choose } }: { columns: ChosenColumns }) {
  const paths = shown.map(({ path }) => path);
  const turn = (path: string, isWanted: boolean) =>
    choose(isWanted ? [...paths, path] : paths.filter((each) => each !== path));
  return (
    <Popover position="bottom-end" trapFocus withRoles>
      <Popover.Target>
        <Button variant="default" size="xs">
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" mah="60vh" style={{ overflowY: 'auto' }}>
        <Stack gap={6}>
          {all.map(({ path, field }) => (
            <Checkbox
              key={path}
              size="sm"
              label={labelOf(field)}
              description={path}
              checked={paths.includes(path)}
              onChange={(event) => turn(path, event.currentTarget.checked)}
            />
          ))}
          <Button variant="default" size="xs" onClick={() => choose(undefined)}>
            Usual columns
          </Button>
          <Text size="xs" c="dimmed">
            Kept for you and this type in this browser.
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
