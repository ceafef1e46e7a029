/**
 * Asks for the size of a new table by a grid of cells.
 */
import { Box, Button, Group, Paper, Text } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { type KeyboardEvent, useState } from 'react';
import { insertTable } from '../table.ts';

const most = { rows: 8, columns: 8 };

/** The grid. The arrow keys change the size, Enter inserts the table. */
export function TableForm({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [size, setSize] = useState({ rows: 3, columns: 3 });
  const close = () => {
    onClose();
    editor.view.focus();
  };
  const insert = (wanted: typeof size) => {
    onClose();
    insertTable(editor, wanted);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
    if (by) {
      const [rows = 0, columns = 0] = by;
      setSize({
        rows: Math.min(most.rows, Math.max(1, size.rows + rows)),
        columns: Math.min(most.columns, Math.max(1, size.columns + columns)),
      });
    } else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const words = `${size.rows} ${size.rows === 1 ? 'row' : 'rows'}, ${size.columns} ${size.columns === 1 ? 'column' : 'columns'}`;
  return (
    <Paper p="sm" role="group" aria-label="Size of the table" onKeyDown={onKeyDown}>
      <Box className="colophon-table-size" aria-hidden>
        {Array.from({ length: most.rows * most.columns }, (_, index) => {
          const cell = { rows: Math.floor(index / most.columns) + 1, columns: (index % most.columns) + 1 };
          const isIn = cell.rows <= size.rows && cell.columns <= size.columns;
          return (
            <span
              key={index}
              data-in={isIn || undefined}
              // A pointer that rests where the grid opens chooses nothing.
              onPointerMove={() => setSize(cell)}
              onPointerDown={(event) => {
                event.preventDefault();
                insert(cell);
              }}
            />
          );
        })}
      </Box>
      <Text size="sm" role="status">
        {words}; the arrow keys change the size
      </Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" autoFocus onClick={() => insert(size)}>
          Insert the table
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
    </Paper>
  );
}
