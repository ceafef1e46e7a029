/**
 * The page of all content: a search in all types, and the types with the number of their assets.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TypeSummary } from '../../../api.ts';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { typeList } from '../../../parts/data/lists.ts';
import { pathOfType } from '../../../parts/data/load-titles.ts';
import { formatNumber } from '../../../parts/data/number-words.ts';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { Loaded } from '../../../parts/loading/loading.tsx';
import { Search } from './search.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [typeList];

export default function ContentTypes() {
  const types = useQuery(typeList);
  return (
    <Page title="All content">
      <Search />
      <Loaded query={types} what="content types">
        {({ items }) => (items.length === 0 ? <NoTypes /> : <TypeTable types={items} />)}
      </Loaded>
    </Page>
  );
}

function TypeTable({ types }: { types: readonly TypeSummary[] }) {
  const sorted = types.toSorted(
    (one, other) =>
      (one.group ?? '').localeCompare(other.group ?? '') || nameOfType(one).localeCompare(nameOfType(other)),
  );
  const hasGroups = types.some(({ group }) => group !== undefined);
  const columns: readonly ListColumn<TypeSummary>[] = [
    {
      id: 'type',
      head: 'Type',
      value: nameOfType,
      cell: (type) => <span title={type.class}>{nameOfType(type)}</span>,
    },
    ...(hasGroups
      ? [
          {
            id: 'group',
            head: 'Group',
            value: ({ group }: TypeSummary) => group,
            cell: ({ group }: TypeSummary) => group,
          },
        ]
      : []),
    {
      id: 'description',
      head: 'Description',
      cell: ({ description, kind }) => (
        <>
          {description}
          {kind === 'interface' && (
            <Text span inherit c="dimmed">
              {' '}
              Assets of several types.
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'assets',
      head: 'Assets',
      isFigure: true,
      value: ({ count = 0 }) => count,
      cell: ({ count = 0 }) => formatNumber(count),
    },
  ];
  return (
    <ResourceList
      label="Content types"
      columns={columns}
      rows={sorted}
      idOf={({ class: className }) => className}
      nameOf={nameOfType}
      hrefOf={({ class: className }) => pathOfType(className)}
    />
  );
}

function NoTypes() {
  return (
    <EmptyState title="No content types yet">
      <Text size="sm">
        Write types in the SDL folder of this installation, then restart the server. They appear here.
      </Text>
    </EmptyState>
  );
}
