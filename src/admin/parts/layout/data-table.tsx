/**
 * A table that scrolls inside its own box where the screen is too small for it.
 */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

/**
 * A table under the given column heads; `label` tells screen readers what it lists, `children` are its rows. With `isContent` these have
 * the height of rows in lists of content.
 */
export function DataTable({
  label,
  columns,
  minWidth = 640,
  maxHeight,
  isContent = false,
  children,
}: {
  label: string;
  columns: readonly string[];
  minWidth?: number;
  maxHeight?: number;
  isContent?: boolean;
  children: ReactNode;
}) {
  return (
    // Scrolls, so it must be reachable by keyboard.
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      tabIndex={0}
      role="group"
      aria-label={label}
      {...(maxHeight ? { maxHeight } : {})}
    >
      <Table
        aria-label={label}
        className={classes.table}
        verticalSpacing={isContent ? 6 : 'xs'}
        highlightOnHover
        stickyHeader={maxHeight !== undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} scope="col">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
