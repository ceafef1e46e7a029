/**
 * What sorts a list, the heads of its columns and, above cards, a choice; and the box that finds some of its rows.
 */
import { NativeSelect, Table, TextInput, UnstyledButton } from '@mantine/core';
import { SearchIcon } from '../layout/icons.ts';
import { InBar } from '../layout/in-bar.tsx';
import type { ListColumn } from './list-cell.tsx';
import classes from './resource-list.module.css';

/** A click sorts upwards, the next one downwards, the third as the list is at first. */
export function Head<Row>({
  column: { id, head, value, isFigure },
  sort,
  onSort,
}: {
  column: ListColumn<Row>;
  sort: string;
  onSort: ((sort: string) => void) | undefined;
}) {
  const direction = sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : 'none';
  const next = { none: id, ascending: `-${id}`, descending: '' }[direction];
  return (
    <Table.Th
      scope="col"
      role="columnheader"
      data-figure={isFigure || undefined}
      {...(value && onSort && { 'aria-sort': direction })}
    >
      {value && onSort ? (
        <UnstyledButton className={classes.head} onClick={() => onSort(next)}>
          {head}
          <span aria-hidden>{{ none: '', ascending: ' ↑', descending: ' ↓' }[direction]}</span>
        </UnstyledButton>
      ) : (
        head
      )}
    </Table.Th>
  );
}

/** Sorts where there are no heads; nothing where no column sorts. */
export function SortChoice<Row>({
  label,
  columns,
  sort,
  onSort,
}: {
  label: string;
  columns: readonly ListColumn<Row>[];
  sort: string;
  onSort: (sort: string) => void;
}) {
  const sorted = columns.filter(({ value }) => value);
  if (sorted.length === 0) return null;
  return (
    <NativeSelect
      className={classes.sort}
      size="xs"
      aria-label={`Sort ${label} by`}
      value={sort}
      data={[
        { value: '', label: 'Sort by…' },
        ...sorted.flatMap(({ id, head }) => [
          { value: id, label: `${head} ↑` },
          { value: `-${id}`, label: `${head} ↓` },
        ]),
      ]}
      onChange={({ currentTarget: { value } }) => onSort(value)}
    />
  );
}

/** Finds the rows with a text. */
export function FindBox({
  label,
  isInBar,
  find,
  onFind,
}: {
  label: string;
  isInBar: boolean;
  find: string;
  onFind: (text: string) => void;
}) {
  const box = (
    <TextInput
      size="sm"
      maw={320}
      leftSection={<SearchIcon size={15} />}
      aria-label={`Find in ${label}`}
      placeholder="Find"
      value={find}
      onChange={({ currentTarget: { value } }) => onFind(value)}
    />
  );
  return isInBar ? <InBar>{box}</InBar> : box;
}
