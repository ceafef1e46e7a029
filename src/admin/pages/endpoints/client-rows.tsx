/**
 * API clients in a table, with their requests of the last 30 days.
 */
import { Code, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DashboardApiClient } from '../../api.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { clientUsage, type UsageOf } from '../../parts/data/usage.ts';
import { LastUse, RequestCount } from '../../parts/data/usage-cells.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { NameLink } from './list-section.tsx';

/** The heads of the columns. */
export const clientColumns = [
  'Name',
  'Client ID',
  'Scopes',
  'Limits',
  'Keys',
  'Last used',
  'Requests in 30 days',
];

/** The rows; their usage is read for all of them together. */
export function ClientRows({ clients }: { clients: readonly DashboardApiClient[] }) {
  const usage = useQuery(clientUsage(clients.map(({ clientId }) => clientId)));
  return (
    <>
      {usage.error && (
        <Table.Tr>
          <Table.Td colSpan={clientColumns.length}>
            <ProblemAlert error={usage.error} title="Could not load the usage" onRetry={usage.refetch} />
          </Table.Td>
        </Table.Tr>
      )}
      {clients.map((client) => (
        <ClientRow key={client.clientId} client={client} usage={usage.data} />
      ))}
    </>
  );
}

function ClientRow({ client, usage }: { client: DashboardApiClient; usage: UsageOf | undefined }) {
  const { clientId, name, scopes, revokedAt } = client;
  return (
    <Table.Tr>
      <Table.Td miw={140}>
        <Group gap="xs">
          <NameLink to={`/admin/api-clients/${encodeURIComponent(clientId)}`} name={name} />
          {revokedAt !== undefined && <Mark>Revoked</Mark>}
        </Group>
      </Table.Td>
      <Table.Td miw={120} style={{ overflowWrap: 'anywhere' }}>
        <Code>{clientId}</Code>
      </Table.Td>
      <Table.Td>{scopes.join(', ')}</Table.Td>
      <Table.Td>{toBounds(client)}</Table.Td>
      <Table.Td>
        <Keys client={client} />
      </Table.Td>
      <Table.Td>
        <LastUse usage={usage} id={clientId} />
      </Table.Td>
      <Table.Td>
        <RequestCount usage={usage} id={clientId} />
      </Table.Td>
    </Table.Tr>
  );
}

function Keys({ client: { keys, expiredKeys, nextExpiry } }: { client: DashboardApiClient }) {
  return (
    <>
      <Group gap="xs">
        {keys === 0 ? 'None' : keys}
        {expiredKeys > 0 && <Mark color="orange">{`${expiredKeys} expired`}</Mark>}
      </Group>
      {nextExpiry !== undefined && (
        <Text size="xs" c="dimmed">
          Next expires <Moment ms={nextExpiry} />
        </Text>
      )}
    </>
  );
}

function toBounds({ sites, endpoints }: DashboardApiClient): string {
  const bounds = [
    ...(sites === undefined ? [] : [countOf(sites, 'site')]),
    ...(endpoints === undefined ? [] : [countOf(endpoints, 'endpoint')]),
  ];
  return bounds.length > 0 ? bounds.join(', ') : 'None';
}
