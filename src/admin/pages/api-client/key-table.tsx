/**
 * The keys of an API client in a list, with their use.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiClient, ApiKey } from '../../api.ts';
import { keyUsage } from '../../parts/data/usage.ts';
import { LastUse, RequestCount } from '../../parts/data/usage-cells.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Ago } from '../../parts/time/ago.tsx';

/** The list; `onRemove` is called with the key to remove. */
export function KeyTable({ client, onRemove }: { client: ApiClient; onRemove: (key: ApiKey) => void }) {
  const usage = useQuery(keyUsage(client.clientId));
  // A key that expires while the page is open is marked when the page is opened again.
  const [nowMs] = useState(Date.now);
  const columns: readonly ListColumn<ApiKey>[] = [
    { id: 'name', head: 'Name', value: ({ name }) => name, cell: ({ name }) => name },
    {
      id: 'created',
      head: 'Created',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <Ago ms={createdAt} />,
    },
    { id: 'used', head: 'Last used', cell: ({ id }) => <LastUse usage={usage.data} id={id} /> },
    {
      id: 'requests',
      head: 'Requests in 30 days',
      isFigure: true,
      cell: ({ id }) => <RequestCount usage={usage.data} id={id} />,
    },
    {
      id: 'expires',
      head: 'Expires',
      cell: ({ expiresAt }) => <Expiry expiresAt={expiresAt} nowMs={nowMs} />,
    },
  ];
  return (
    <>
      <ProblemAlert error={usage.error} title="Could not load the use of the keys" onRetry={usage.refetch} />
      <ResourceList
        label="API keys"
        columns={columns}
        rows={client.keys}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        menuOf={(key) => [{ label: 'Remove…', isDanger: true, run: () => onRemove(key) }]}
      />
    </>
  );
}

function Expiry({ expiresAt, nowMs }: { expiresAt: number | undefined; nowMs: number }) {
  if (expiresAt === undefined) return 'Never';
  return (
    <>
      <Ago ms={expiresAt} /> {expiresAt <= nowMs && <Mark color="orange">Expired</Mark>}
    </>
  );
}
