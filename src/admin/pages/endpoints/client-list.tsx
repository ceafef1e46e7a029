/**
 * API clients in a list, with their requests of the last 30 days.
 */
import { Code, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DashboardApiClient } from '../../api.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { clientUsage } from '../../parts/data/usage.ts';
import { LastUse, RequestCount } from '../../parts/data/usage-cells.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment } from '../../parts/time/moment.tsx';

/** The list; the usage is read for all of its clients together. */
export function ClientList({ label, clients }: { label: string; clients: readonly DashboardApiClient[] }) {
  const usage = useQuery(clientUsage(clients.map(({ clientId }) => clientId)));
  const columns: readonly ListColumn<DashboardApiClient>[] = [
    {
      id: 'name',
      head: 'Name',
      cell: ({ name, revokedAt }) => (
        <>
          {name}
          {revokedAt !== undefined && (
            <>
              {' '}
              <Mark>Revoked</Mark>
            </>
          )}
        </>
      ),
    },
    { id: 'id', head: 'Client ID', cell: ({ clientId }) => <Code>{clientId}</Code> },
    { id: 'scopes', head: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
    { id: 'limits', head: 'Limits', cell: toBounds },
    { id: 'keys', head: 'Keys', cell: Keys },
    { id: 'used', head: 'Last used', cell: ({ clientId }) => <LastUse usage={usage.data} id={clientId} /> },
    {
      id: 'requests',
      head: 'Requests in 30 days',
      isFigure: true,
      cell: ({ clientId }) => <RequestCount usage={usage.data} id={clientId} />,
    },
  ];
  return (
    <>
      <ProblemAlert error={usage.error} title="Could not load the usage" onRetry={usage.refetch} />
      <ResourceList
        label={label}
        columns={columns}
        rows={clients}
        isWhole={false}
        idOf={({ clientId }) => clientId}
        nameOf={({ name }) => name}
        hrefOf={({ clientId }) => `/admin/api-clients/${encodeURIComponent(clientId)}`}
      />
    </>
  );
}

function Keys({ keys, expiredKeys, nextExpiry }: DashboardApiClient) {
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
