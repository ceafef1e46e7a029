/**
 * The page of all content: a search in all types, and the types with the number of their assets.
 */
import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { TypeSummary } from '../../../api.ts';
import { pathOfType } from '../../../parts/data/asset-titles.ts';
import { nameOfType } from '../../../parts/data/field-label.ts';
import { typeList } from '../../../parts/data/lists.ts';
import { formatNumber } from '../../../parts/data/number-words.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { Loaded } from '../../../parts/loading/loaded.tsx';
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
  const columns = ['Type', ...(hasGroups ? ['Group'] : []), 'Description', 'Assets'];
  return (
    <DataTable label="Content types" columns={columns} minWidth={480}>
      {sorted.map((type) => (
        <Table.Tr key={type.class}>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>
            <Anchor component={Link} to={pathOfType(type.class)} size="sm" fw={500} title={type.class}>
              {nameOfType(type)}
            </Anchor>
          </Table.Td>
          {hasGroups && <Table.Td>{type.group}</Table.Td>}
          <Table.Td>
            {type.description}
            {type.kind === 'interface' && (
              <Text span size="sm" c="dimmed">
                {' '}
                Assets of several types.
              </Text>
            )}
          </Table.Td>
          <Table.Td>{formatNumber(type.count ?? 0)}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
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
