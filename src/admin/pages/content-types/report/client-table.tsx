/**
 * The API clients that have called what a change of content types breaks.
 */
import { Anchor, Box, Code, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { TypesReport } from '../../../api.ts';
import { apiClientList } from '../../../parts/data/lists.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';

const columns = ['Type', 'Client', 'Method', 'Route', 'Requests', 'Affected'];

/** The table, with links to the clients that are still there. */
export function ClientTable({ clients: { days, count, items } }: { clients: TypesReport['clients'] }) {
  const title = `API clients that called what breaks in the last ${days} days`;
  return (
    <Box component="section" aria-label={title}>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      <DataTable label="API clients" columns={columns} maxHeight={480}>
        {items.map(({ type, clientId, method, route, requests, use }) => (
          <Table.Tr key={`${type} ${clientId} ${method} ${route}`}>
            <Table.Td>{type !== undefined && <Code>{type}</Code>}</Table.Td>
            <Table.Td>{clientId === undefined ? 'none' : <ClientName id={clientId} />}</Table.Td>
            <Table.Td>{method}</Table.Td>
            <Table.Td>
              <Code>{route}</Code>
            </Table.Td>
            <Table.Td>{requests}</Table.Td>
            <Table.Td>{use === 'broken' ? 'all calls' : 'calls that use what changes'}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {count > items.length && (
        <Text size="sm">
          These are the first {items.length} of {count}.
        </Text>
      )}
    </Box>
  );
}

function ClientName({ id }: { id: string }) {
  const client = useQuery(apiClientList).data?.items.find(({ clientId }) => clientId === id);
  if (!client) return id;
  return (
    <Anchor component={Link} to={`/admin/api-clients/${encodeURIComponent(id)}`} size="sm">
      {client.name}
    </Anchor>
  );
}
