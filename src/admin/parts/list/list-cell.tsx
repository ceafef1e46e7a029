/**
 * A cell of a list, whose value may be edited where it stands.
 */
import { Table } from '@mantine/core';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { formatNumber } from '../data/number-words.ts';
import { Ago } from '../time/ago.tsx';

/** A column of a list. */
export interface ListColumn<Row> {
  /** Its name in the address of the page, as in `?sort=name`. */
  readonly id: string;
  readonly head: string;
  /** Of numbers, which are aligned at the right. */
  readonly isFigure?: boolean;
  /** Of times in milliseconds. */
  readonly isTime?: boolean;
  /** What rows are sorted and found by; without it they are neither by this column. */
  readonly value?: (row: Row) => string | number | undefined;
  /** Draws the value where it is not simply shown. */
  readonly cell?: (row: Row) => ReactNode;
  /** Returns what draws the input of a row's cell, if its value is edited there; what it draws calls `onClose` at the end. */
  readonly edit?: (row: Row) => ((onClose: () => void) => ReactNode) | undefined;
}

/** What a cell shows. */
export function drawCell<Row>({ isTime, isFigure, value, cell }: ListColumn<Row>, row: Row): ReactNode {
  if (cell) return cell(row);
  const shown = value?.(row);
  if (typeof shown !== 'number') return shown;
  if (isTime) return <Ago ms={shown} />;
  return isFigure ? formatNumber(shown) : shown;
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
  column: ListColumn<Row>;
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
