/**
 * A cell of a list, whose value may be edited where it stands.
 */
import { Table } from '@mantine/core';
import { type MouseEvent, type ReactNode, useRef } from 'react';

/** What a cell needs of its column. */
export interface CellColumn<Row> {
  /** Its name in the address of the page, as in `?sort=name`. */
  readonly id: string;
  readonly head: string;
  /** Of numbers, which are aligned at the right. */
  readonly isFigure?: boolean;
  /** Returns what draws the input of a row's cell, if its value is edited there; what it draws calls `onClose` at the end. */
  readonly edit?: (row: Row) => ((onClose: () => void) => ReactNode) | undefined;
}

/** A cell. A click on a value that is edited there, but not on a link in it, shows its input. */
export function Cell<Row>({
  column: { id, head, isFigure, edit },
  row,
  isNamed,
  isEdited,
  onEdit,
  children,
}: {
  column: CellColumn<Row>;
  row: Row;
  /** Whether the cell has the name of the row, which a card shows without the head of the column. */
  isNamed: boolean;
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
      data-head={isNamed ? undefined : head}
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
