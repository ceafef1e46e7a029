/**
 * The GraphQL endpoints.
 */
import { Code, Group, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DashboardGraphqlEndpoint } from '../../api.ts';
import { accessNames } from '../../parts/endpoints/access-names.ts';
import { PublicWritesMark } from '../../parts/layout/mark.tsx';
import { graphqlEndpointPage } from './endpoint-lists.ts';
import { ListSection, NameLink } from './list-section.tsx';
import { TrafficCells, TrafficNote, trafficColumns } from './traffic.tsx';
import { useListState } from './use-list-state.ts';

/** Their table. */
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
      columns={['Name', 'Path', 'Access', ...trafficColumns, 'Types read', 'Types written']}
      minWidth={760}
      note={TrafficNote}
    >
      {(items) => items.map((endpoint) => <EndpointRow key={endpoint.id} endpoint={endpoint} />)}
    </ListSection>
  );
}

function EndpointRow({ endpoint }: { endpoint: DashboardGraphqlEndpoint }) {
  const { id, name, path, access, readTypes, writeTypes, hasPublicWrites } = endpoint;
  return (
    <Table.Tr>
      <Table.Td miw={120}>
        <NameLink to={`/admin/graphql-endpoints/${id}`} name={name} />
      </Table.Td>
      <Table.Td>
        <Code>/graphql/{path}</Code>
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          <span>{accessNames[access]}</span>
          {hasPublicWrites && <PublicWritesMark />}
        </Group>
      </Table.Td>
      <TrafficCells traffic={endpoint} />
      <Table.Td>{toNumber(readTypes)}</Table.Td>
      <Table.Td>{toNumber(writeTypes)}</Table.Td>
    </Table.Tr>
  );
}

function toNumber(types: number | undefined): string {
  if (types === undefined) return 'All';
  return types === 0 ? 'None' : String(types);
}
