/**
 * The page that lists the content types, with links to their assets.
 */
import { Anchor, Badge, Code, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ContentType, TypeSummary } from '../../../api.ts';
import { pathOfType } from '../../../parts/data/asset-titles.ts';
import { useContentTypes } from '../../../parts/data/content-types.ts';
import { typeList } from '../../../parts/data/lists.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { Loaded } from '../../../parts/loading/loaded.tsx';
import { Search } from './search.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [typeList];

export default function ContentTypes() {
  const types = useQuery(typeList);
  const details = useContentTypes(types.data?.items.map((type) => type.class) ?? []);
  return (
    <Page title="Content">
      <Search />
      <Loaded query={types} what="content types">
        {({ items }) => (items.length === 0 ? <NoTypes /> : <TypeTable types={items} details={details} />)}
      </Loaded>
    </Page>
  );
}

function TypeTable({
  types,
  details,
}: {
  types: readonly TypeSummary[];
  details: ReadonlyMap<string, ContentType>;
}) {
  return (
    <DataTable label="Content types" columns={['Type', 'Class name', 'Description', 'Fields', 'Assets']}>
      {types.map(({ class: className, name, kind, description, count, formerClasses }) => (
        <Table.Tr key={className}>
          <Table.Td>
            <Anchor component={Link} to={pathOfType(className)} size="sm">
              {name}
            </Anchor>{' '}
            {kind === 'interface' && (
              <Badge variant="default" size="sm">
                Interface
              </Badge>
            )}
          </Table.Td>
          <Table.Td>
            <Code>{className}</Code>
            {formerClasses && (
              <Text size="xs" c="dimmed">
                formerly {formerClasses.join(', ')}
              </Text>
            )}
          </Table.Td>
          <Table.Td>{description}</Table.Td>
          <Table.Td>{details.get(className)?.fields.length}</Table.Td>
          <Table.Td>{count}</Table.Td>
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
