/**
 * The list of resources that a page shows: rows under columns, which are sorted by their heads and found by a word, with a menu for each
 * and keys for all. Below 640 pixels each row is a card.
 */
import { ActionIcon, Checkbox, Kbd, Table, TextInput, UnstyledButton } from '@mantine/core';
import {
  columnFilteringFeature,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_includesString,
  globalFilteringFeature,
  type RowData,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { Fragment, type ReactNode, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useParameters } from '../data/use-parameters.ts';
import { ClosedIcon, OpenIcon, SearchIcon } from '../layout/icons.ts';
import { ActionMenu, type RowAction } from './action-menu.tsx';
import { Cell, drawCell, type ListColumn } from './list-cell.tsx';
import classes from './resource-list.module.css';
import { useRowKeys } from './row-keys.ts';

export type { ListColumn };

/** Which rows are chosen. */
export interface RowSelection<Row> {
  readonly has: (id: string) => boolean;
  readonly set: (rows: readonly Row[], isChosen: boolean) => void;
}

/** What rows unfold to, under a button with a name; a row without a name has nothing to unfold. */
export interface RowDetail<Row> {
  readonly label: (row: Row) => string | undefined;
  readonly content: (row: Row) => ReactNode;
}

/** The order of a list that the server sorts: the ID of a column, after a hyphen when it descends. */
export interface ServerOrder {
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

const features = tableFeatures({
  rowSortingFeature,
  columnFilteringFeature,
  globalFilteringFeature,
  sortedRowModel: createSortedRowModel(),
  filteredRowModel: createFilteredRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
  filterFns: { includesString: filterFn_includesString },
});

/** From how many rows on there is a box that finds some of them. */
const manyRows = 12;

/**
 * Lists `rows`. What is loaded as a whole is sorted and found here; the rows of one page only as the server has sorted them, by `order`. The
 * first column names the row; `hrefOf` is the page that it leads to, with `linkState`.
 */
export function ResourceList<Row extends RowData>({
  label,
  columns,
  rows,
  idOf,
  nameOf,
  hrefOf,
  linkState,
  menuOf,
  detail,
  selection,
  order,
  isWhole = order === undefined,
  onEdit,
  maxHeight,
}: {
  label: string;
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  hrefOf?: (row: Row) => string | undefined;
  linkState?: unknown;
  menuOf?: (row: Row) => readonly RowAction[];
  detail?: RowDetail<Row>;
  selection?: RowSelection<Row>;
  order?: ServerOrder;
  isWhole?: boolean;
  onEdit?: (row: Row) => void;
  /** Scrolls in its own box from this height on. */
  maxHeight?: number;
}) {
  const [parameters, change] = useParameters();
  const [sort, find] = [order?.sort ?? parameters.get('sort') ?? '', parameters.get('find') ?? ''];
  const setParameter = (name: string, value: string, isTyped = false) =>
    change(
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        return before;
      },
      { replace: isTyped },
    );
  const table = useTable({
    features,
    data: useMemo(() => [...rows], [rows]),
    columns: useMemo(
      () =>
        columns.map(({ id, value }) => ({
          id,
          accessorFn: (row: Row) => value?.(row),
          enableSorting: value !== undefined,
          enableGlobalFilter: value !== undefined,
          sortUndefined: 'last' as const,
        })),
      [columns],
    ),
    getRowId: idOf,
    manualSorting: !isWhole,
    globalFilterFn: 'includesString',
    getColumnCanGlobalFilter: () => true,
    state: {
      globalFilter: find,
      sorting: sort === '' ? [] : [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }],
    },
  });
  const shown = table.getRowModel().rows.map(({ original }) => original);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const toggleDetail = (id: string) =>
    setUnfolded(
      (before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
    );
  const body = useRef<HTMLTableSectionElement>(null);
  const [edited, setEdited] = useState<{ readonly row: string; readonly column: string }>();
  const hasCells = columns.some(({ edit }) => edit);
  useRowKeys(body, {
    toggle: selection && ((index) => toggle(shown[index])),
    edit: onEdit
      ? (index) => shown[index] && onEdit(shown[index])
      : hasCells
        ? (index, column) => setEdited(cellToEdit(shown[index], column))
        : undefined,
  });
  /** The cell of a column; without one, the first that is edited in the row. */
  function cellToEdit(row: Row | undefined, column: string | undefined) {
    const found =
      row && columns.find(({ id, edit }) => (column === undefined || id === column) && edit?.(row));
    return found && { row: idOf(row), column: found.id };
  }
  function toggle(row: Row | undefined): void {
    if (row && selection) selection.set([row], !selection.has(idOf(row)));
  }
  const chosen = selection ? shown.filter((row) => selection.has(idOf(row))).length : 0;
  return (
    <div className={classes.list}>
      {isWhole && (rows.length >= manyRows || find !== '') && (
        <TextInput
          size="sm"
          maw={320}
          leftSection={<SearchIcon size={15} />}
          aria-label={`Find in ${label}`}
          placeholder="Find"
          value={find}
          onChange={({ currentTarget: { value } }) => setParameter('find', value, find !== '')}
        />
      )}
      <Table.ScrollContainer
        minWidth={0}
        type="native"
        tabIndex={0}
        role="group"
        aria-label={label}
        {...(maxHeight && { maxHeight })}
      >
        <Table
          aria-label={label}
          role="table"
          className={classes.table}
          verticalSpacing={0}
          stickyHeader={maxHeight !== undefined}
        >
          <Table.Thead>
            <Table.Tr role="row">
              {selection && (
                <Table.Th w={40} className={classes.all}>
                  <Checkbox
                    size="xs"
                    aria-label="Select all of this page"
                    checked={chosen > 0 && chosen === shown.length}
                    indeterminate={chosen > 0 && chosen < shown.length}
                    onChange={(event) => selection.set(shown, event.currentTarget.checked)}
                  />
                </Table.Th>
              )}
              {columns.map((column) => (
                <Head
                  key={column.id}
                  column={column}
                  sort={sort}
                  onSort={order?.onSort ?? (isWhole ? (next) => setParameter('sort', next) : undefined)}
                />
              ))}
              {menuOf && <Table.Th w={44} aria-label="Actions" />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={body} data-rows>
            {shown.map((row) => {
              const id = idOf(row);
              const detailLabel = detail?.label(row);
              const isUnfolded = detailLabel !== undefined && unfolded.has(id);
              return (
                <Fragment key={id}>
                  <Table.Tr role="row" data-chosen={selection?.has(id) || undefined}>
                    {selection && (
                      <Table.Td role="cell" className={classes.choice}>
                        <Checkbox
                          size="xs"
                          aria-label={`Select ${nameOf(row)}`}
                          checked={selection.has(id)}
                          onChange={() => toggle(row)}
                        />
                      </Table.Td>
                    )}
                    {columns.map((column, index) => (
                      <Cell
                        key={column.id}
                        column={column}
                        row={row}
                        isNamed={index === 0}
                        isEdited={edited?.row === id && edited.column === column.id}
                        onEdit={(isEdited) =>
                          setEdited(isEdited ? { row: id, column: column.id } : undefined)
                        }
                      >
                        {index > 0 ? (
                          drawCell(column, row)
                        ) : (
                          <Named
                            to={hrefOf?.(row)}
                            state={linkState}
                            fold={
                              detail && (
                                <Fold
                                  label={detailLabel}
                                  isOpen={isUnfolded}
                                  onToggle={() => toggleDetail(id)}
                                />
                              )
                            }
                          >
                            {drawCell(column, row)}
                          </Named>
                        )}
                      </Cell>
                    ))}
                    {menuOf && (
                      <Table.Td role="cell" className={classes.actions}>
                        <ActionMenu name={nameOf(row)} actions={menuOf(row)} />
                      </Table.Td>
                    )}
                  </Table.Tr>
                  {isUnfolded && (
                    <Table.Tr role="row" data-detail>
                      <Table.Td role="cell" colSpan={columns.length + (selection ? 1 : 0) + (menuOf ? 1 : 0)}>
                        {detail?.content(row)}
                      </Table.Td>
                    </Table.Tr>
                  )}
                </Fragment>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {shown.length > 0 && (
        <p className={classes.keys}>
          <Kbd>J</Kbd> <Kbd>K</Kbd> move
          {hrefOf && (
            <>
              <Kbd>Enter</Kbd> open
            </>
          )}
          {selection && (
            <>
              <Kbd>X</Kbd> choose
            </>
          )}
          {hasCells && (
            <>
              <Kbd>←</Kbd> <Kbd>→</Kbd> value
            </>
          )}
          {(onEdit || hasCells) && (
            <>
              <Kbd>E</Kbd> edit
            </>
          )}
        </p>
      )}
      {shown.length === 0 && find !== '' && <p className={classes.none}>Nothing has “{find}”.</p>}
    </div>
  );
}

function Named({
  to,
  state,
  fold,
  children,
}: {
  to: string | undefined;
  state: unknown;
  fold: ReactNode;
  children: ReactNode;
}) {
  const name =
    to === undefined ? (
      <span data-name>{children}</span>
    ) : (
      <Link to={to} state={state} data-name className={classes.name} dir="auto">
        {children}
      </Link>
    );
  if (!fold) return name;
  return (
    <span className={classes.folded}>
      {fold}
      {name}
    </span>
  );
}

/** The button that unfolds a row; its place where there is nothing to unfold. */
function Fold({
  label,
  isOpen,
  onToggle,
}: {
  label: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
}) {
  if (label === undefined) return <span className={classes.noFold} />;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-expanded={isOpen}
      aria-label={label}
      title={label}
      onClick={onToggle}
    >
      {isOpen ? <OpenIcon size={14} /> : <ClosedIcon size={14} />}
    </ActionIcon>
  );
}

/** A click sorts upwards, the next one downwards, the third as the list is at first. */
function Head<Row>({
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
