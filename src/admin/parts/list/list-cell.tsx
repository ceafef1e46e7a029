/**
 * A cell of a list, whose value may be edited where it stands.
 */
import { Table } from '@mantine/core';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import type { ListColumn } from './resource-list.tsx';

/** A cell. A click on a value that is edited there, but not on a link in it, shows its input. */
export function Cell<Row>({
  column: { id, head, isFigure, edit },
  row,
  isEdited,
  onEdit,
  children,
}: {
  column: ListColumn<Row>;
  row: Row;
  isEdited: boolean;
  onEdit: (isEdited: boolean) => void;
  children: ReactNode;
}) {
  const cell = useRef<HTMLTableCellElement>(null);
  const draw = edit?.(row);
  const close = () => {
    onEdit(false);
    // The input that had the focus goes.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) cell.current?.focus();
    });
  };
  return (
    <Table.Td
      ref={cell}
      role="cell"
      data-head={head}
      data-figure={isFigure || undefined}
      {...(draw && {
        'data-editable': id,
        tabIndex: -1,
        onClick: (event: MouseEvent) => {
          const isLink = event.target instanceof Element && event.target.closest('a');
          if (!isLink && !isEdited) onEdit(true);
        },
      })}
    >
      {draw && isEdited ? draw(close) : children}
    </Table.Td>
  );
}
