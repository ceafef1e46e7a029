/**
 * The GraphQL endpoints.
 */
import { Code, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DashboardGraphqlEndpoint } from '../../api.ts';
import { accessNames } from '../../parts/endpoints/access-names.ts';
import { PublicWritesMark } from '../../parts/layout/mark.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { graphqlEndpointPage } from './endpoint-lists.ts';
import { ListSection, useListState } from './list-section.tsx';
import { trafficColumns } from './traffic.tsx';

/** Their list. */
export function GraphqlEndpoints() {
  const list = useListState('graphql');
  const { search, offset } = list;
  return (
    <ListSection
      title="GraphQL endpoints"
      query={useQuery(graphqlEndpointPage({ search, offset }))}
      list={list}
      create={{ to: '/admin/graphql-endpoints/new', label: 'New GraphQL endpoint' }}
      empty={{
        title: 'No GraphQL endpoints yet',
        advice: 'An endpoint serves the content types you choose. Create one, then try it in the explorer.',
      }}
      search="Name or path"
    >
      {(items) => (
        <ResourceList
          label="GraphQL endpoints"
          columns={columns}
          rows={items}
          isWhole={false}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => `/admin/graphql-endpoints/${id}`}
          menuOf={({ id }) => [
            { label: 'Edit', to: `/admin/graphql-endpoints/${id}` },
            { label: 'Query it', to: `/admin/explorer?endpoint=${id}` },
          ]}
        />
      )}
    </ListSection>
  );
}

const columns: readonly ListColumn<DashboardGraphqlEndpoint>[] = [
  { id: 'name', head: 'Name', cell: ({ name }) => name },
  { id: 'path', head: 'Path', cell: ({ path }) => <Code>/graphql/{path}</Code> },
  {
    id: 'access',
    head: 'Access',
    cell: ({ access, hasPublicWrites }) => (
      <Group gap="xs">
        <span>{accessNames[access]}</span>
        {hasPublicWrites && <PublicWritesMark />}
      </Group>
    ),
  },
  ...trafficColumns(),
  { id: 'reads', head: 'Types read', isFigure: true, cell: ({ readTypes }) => toNumber(readTypes) },
  { id: 'writes', head: 'Types written', isFigure: true, cell: ({ writeTypes }) => toNumber(writeTypes) },
];

function toNumber(types: number | undefined): string {
  if (types === undefined) return 'All';
  return types === 0 ? 'None' : String(types);
}
