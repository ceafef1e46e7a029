/**
 * The keys of an API client in a table, with their use.
 */
import { Button, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiClient, ApiKey } from '../../api.ts';
import { keyUsage } from '../../parts/data/usage.ts';
import { LastUse, RequestCount } from '../../parts/data/usage-cells.tsx';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment } from '../../parts/time/moment.tsx';

const columns = ['Name', 'Created', 'Last used', 'Requests in 30 days', 'Expires', 'Action'];

/** The table; `onRemove` is called with the key to remove. */
export function KeyTable({ client, onRemove }: { client: ApiClient; onRemove: (key: ApiKey) => void }) {
  const usage = useQuery(keyUsage(client.clientId));
  // A key that expires while the page is open is marked when the page is opened again.
  const [nowMs] = useState(Date.now);
  return (
    <>
      <ProblemAlert error={usage.error} title="Could not load the use of the keys" onRetry={usage.refetch} />
      <DataTable label="API keys" columns={columns}>
        {client.keys.map((key) => (
          <Table.Tr key={key.id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{key.name}</Table.Td>
            <Table.Td>
              <Moment ms={key.createdAt} />
            </Table.Td>
            <Table.Td>
              <LastUse usage={usage.data} id={key.id} />
            </Table.Td>
            <Table.Td>
              <RequestCount usage={usage.data} id={key.id} />
            </Table.Td>
            <Table.Td>
              <Expiry expiresAt={key.expiresAt} nowMs={nowMs} />
            </Table.Td>
            <Table.Td>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Remove key ${key.name}`}
                onClick={() => onRemove(key)}
              >
                Remove
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    </>
  );
}

function Expiry({ expiresAt, nowMs }: { expiresAt: number | undefined; nowMs: number }) {
  if (expiresAt === undefined) return 'Never';
  return (
    <>
      <Moment ms={expiresAt} /> {expiresAt <= nowMs && <Mark color="orange">Expired</Mark>}
    </>
  );
}
