/**
 * The API clients on the dashboard; those that were revoked come last.
 */
import { Code, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApiClient } from '../../api.ts';
import { apiClientList } from '../../parts/data/lists.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { NameLink, ResourceSection } from './resource-section.tsx';

/** Their table. */
export function ApiClients() {
  const query = useQuery({ ...apiClientList, select: inOrder });
  return (
    <ResourceSection
      title="API clients"
      query={query}
      create={{ to: '/admin/api-clients/new', label: 'New API client' }}
      empty={{
        title: 'No API clients yet',
        advice:
          'A program needs an API client to access Colophon. Create one, then give the program its ID and secret, or a key.',
      }}
      columns={['Name', 'Client ID', 'Scopes', 'Limits', 'Keys']}
      toKey={({ clientId }) => clientId}
      toCells={toCells}
    />
  );
}

function inOrder({ items }: { items: ApiClient[] }): { items: ApiClient[] } {
  const isRevoked = ({ revokedAt }: ApiClient) => Number(revokedAt !== undefined);
  return {
    items: items.toSorted(
      (one, other) => isRevoked(one) - isRevoked(other) || one.name.localeCompare(other.name),
    ),
  };
}

function toCells(client: ApiClient) {
  const { clientId, name, scopes, keys, revokedAt } = client;
  return [
    <Group key="name" gap="xs">
      <NameLink to={`/admin/api-clients/${encodeURIComponent(clientId)}`} name={name} />
      {revokedAt !== undefined && <Mark>Revoked</Mark>}
    </Group>,
    <Code key="id">{clientId}</Code>,
    scopes.join(', '),
    toBounds(client),
    keys.length,
  ];
}

function toBounds({ sites, endpoints }: ApiClient): string {
  const bounds = [
    ...(sites ? [count(sites.length, 'site')] : []),
    ...(endpoints ? [count(endpoints.length, 'endpoint')] : []),
  ];
  return bounds.length > 0 ? bounds.join(', ') : 'None';
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
