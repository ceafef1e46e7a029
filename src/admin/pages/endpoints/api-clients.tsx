/**
 * The API clients. Those that were revoked are folded away.
 */
import { Button, Code, Collapse, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { DashboardApiClient } from '../../api.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { clientUsage, LastUse, RequestCount } from '../../parts/data/usage-cells.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { Paging } from '../../parts/layout/paging.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment } from '../../parts/time/ago.tsx';
import { apiClientPage, pageSize } from './endpoint-lists.ts';
import { ListSection, useListState } from './list-section.tsx';

/** Their list. */
export function ApiClients() {
  const list = useListState('clients');
  const { search, offset } = list;
  return (
    <ListSection
      title="API clients"
      query={useQuery(apiClientPage({ search, offset }, false))}
      list={list}
      create={{ to: '/admin/api-clients/new', label: 'New API client' }}
      empty={{
        title: 'No API clients yet',
        advice:
          'A program needs an API client to access Colophon. Create one, then give the program its ID and secret, or a key.',
      }}
      search="Name or client ID"
      after={({ revoked }) => revoked > 0 && <RevokedClients count={revoked} search={search} />}
    >
      {(items) => <ClientList label="API clients" clients={items} />}
    </ListSection>
  );
}

/** The button that shows the revoked clients. They are read when it is first used. */
function RevokedClients({ count, search }: { count: number; search: string }) {
  const [isOpen, { toggle }] = useDisclosure();
  const id = useId();
  return (
    <div>
      <Group>
        <Button variant="default" size="xs" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
          {isOpen ? 'Hide' : 'Show'} {countOf(count, 'revoked API client')}
        </Button>
      </Group>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <RevokedList search={search} />}
      </Collapse>
    </div>
  );
}

function RevokedList({ search }: { search: string }) {
  const list = useListState('revoked');
  const query = useQuery(apiClientPage({ search, offset: list.offset }, true));
  return (
    <Loaded query={query} what="Revoked API clients">
      {({ count, items }) => (
        <>
          <ClientList label="Revoked API clients" clients={items} />
          {count > pageSize && (
            <Paging
              label="Pages of revoked API clients"
              offset={list.offset}
              limit={pageSize}
              count={count}
              onMove={list.move}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

/** The list; the usage is read for all of its clients together. */
function ClientList({ label, clients }: { label: string; clients: readonly DashboardApiClient[] }) {
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
