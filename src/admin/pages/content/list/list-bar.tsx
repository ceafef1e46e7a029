/**
 * The bar above a list: the search by words, the filter, the columns and how many assets there are; and the size of a page.
 */
import { Button, Checkbox, Group, NativeSelect, Popover, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ContentType } from '../../../api.ts';
import { countOf, formatNumber } from '../../../parts/data/number-words.ts';
import { ColumnsIcon, FilterIcon, SearchIcon } from '../../../parts/layout/icons.ts';
import { type ChosenColumns, nameOfColumn } from './columns.ts';
import { pageSizes } from './list-query.ts';
import { type DraftFilter, draftFilters, useHasDrafts } from './state-filter.ts';

/** How long after a key the search begins. */
const pauseMs = 250;

/**
 * The bar. `filter` tells whether the panel of the filter is open; `children` stand beside the columns. `count` is absent until it is known.
 */
export function ListBar({
  type,
  search,
  onSearch,
  filter,
  count,
  isPartial,
  columns,
  children,
}: {
  type: ContentType;
  search: string;
  onSearch: (text: string) => void;
  filter: { readonly isOpen: boolean; readonly onToggle: () => void };
  count: number | undefined;
  /** Whether a search or a condition leaves out assets, so that the number is of those found. */
  isPartial: boolean;
  columns: ChosenColumns;
  children?: ReactNode;
}) {
  return (
    <Group gap="xs">
      <SearchInput key="search" search={search} onSearch={onSearch} />
      <Button
        variant="default"
        px="sm"
        leftSection={<FilterIcon size={16} />}
        aria-expanded={filter.isOpen}
        onClick={filter.onToggle}
      >
        Filter
      </Button>
      <ColumnChoice type={type} columns={columns} />
      {children}
      <Text size="sm" role="status" c="dimmed" miw={88} ta="right" ms="auto">
        {count !== undefined && `${countOf(count, 'asset')} ${isPartial ? 'found' : ''}`.trim()}
      </Text>
    </Group>
  );
}

/** Chooses how many assets a page has. */
export function PageSize({ limit, onLimit }: { limit: number; onLimit: (limit: number) => void }) {
  return (
    <NativeSelect
      aria-label="Assets on a page"
      size="xs"
      w={130}
      value={String(limit)}
      data={pageSizes.map((size) => ({ value: String(size), label: `${formatNumber(size)} on a page` }))}
      onChange={(event) => onLimit(Number(event.currentTarget.value))}
    />
  );
}

/** Searches while one types, after a pause or at once by Enter. Another search, as after going back, takes the place of the text. */
function SearchInput({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState<{ text: string; over: string }>();
  const text = typed?.over === search ? typed.text : search;
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  useEffect(() => {
    if (text.trim() === search) return;
    const timer = setTimeout(() => latest.current(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, search]);
  return (
    <TextInput
      type="search"
      aria-label="Search"
      placeholder="Search titles and texts"
      leftSection={<SearchIcon size={16} />}
      value={text}
      onChange={(event) => setTyped({ text: event.currentTarget.value, over: search })}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && text.trim() !== search) onSearch(text);
      }}
      maxLength={200}
      autoComplete="off"
      flex={{ base: '1 1 100%', sm: '1 1 220px' }}
    />
  );
}

const stateLabels: Readonly<Record<DraftFilter, string>> = {
  changed: 'Changed',
  new: 'New',
  withdrawn: 'Withdrawn',
  scheduled: 'Scheduled',
};

/** Chooses the state of the drafts; nothing where there are none. */
export function StateFilter({
  state,
  onState,
}: {
  state: DraftFilter | undefined;
  onState: (state: DraftFilter | undefined) => void;
}) {
  const hasDrafts = useHasDrafts();
  if (!hasDrafts && state === undefined) return null;
  return (
    <NativeSelect
      aria-label="State of drafts"
      w={130}
      value={state ?? ''}
      data={[
        { value: '', label: 'All states' },
        ...draftFilters.map((value) => ({ value, label: stateLabels[value] })),
      ]}
      onChange={(event) => onState(draftFilters.find((filter) => filter === event.currentTarget.value))}
    />
  );
}

/** A button that opens the menu. */
function ColumnChoice({
  type,
  columns: { all, shown, choose },
}: {
  type: ContentType;
  columns: ChosenColumns;
}) {
  const paths = shown.map(({ path }) => path);
  const turn = (path: string, isWanted: boolean) =>
    choose(isWanted ? [...paths, path] : paths.filter((each) => each !== path));
  return (
    <Popover position="bottom-end" trapFocus withRoles>
      <Popover.Target>
        <Button variant="default" px="sm" leftSection={<ColumnsIcon size={16} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" mah="70vh" style={{ overflowY: 'auto' }}>
        <Stack gap={6}>
          {all.map((column) => (
            <Checkbox
              key={column.path}
              size="sm"
              label={nameOfColumn(type, column)}
              checked={paths.includes(column.path)}
              onChange={(event) => turn(column.path, event.currentTarget.checked)}
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
