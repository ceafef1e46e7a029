/**
 * The API keys of a client: adds, lists and removes them, and shows a new one once.
 */
import { Button, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiClient, ApiKey, IssuedKey } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { ShownOnce } from '../../parts/layout/shown-once.tsx';
import { Moment } from '../../parts/time/moment.tsx';
import { AddKey } from './add-key.tsx';
import { useClientChanges } from './client-data.ts';

/** The list of keys with their actions. */
export function Keys({ client }: { client: ApiClient }) {
  const { addKey, removeKey } = useClientChanges();
  const [issued, setIssued] = useState<IssuedKey>();
  const [leaving, setLeaving] = useState<ApiKey>();
  const remove = async () => {
    if (leaving) await removeKey(client.clientId, leaving.id);
    setLeaving(undefined);
  };
  return (
    <Stack gap="xs">
      <Text size="sm">
        A key gives access to the GraphQL and REST endpoints whose access is API key. Send it in the header
        X-API-Key.
      </Text>
      {client.keys.length > 0 && <KeyTable keys={client.keys} onRemove={setLeaving} />}
      <AddKey add={async (name) => setIssued(await addKey(client.clientId, name))} />
      <Confirm
        title="Remove this key?"
        consequence={`${leaving?.name ?? 'The key'} stops working immediately. Programs that use it are refused.`}
        action="Remove key"
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onConfirm={remove}
      />
      <ShownOnce
        title={`API key ${issued?.key.name}`}
        isOpen={issued !== undefined}
        onClose={() => setIssued(undefined)}
      >
        {issued && <CopyField label="Key" text={issued.secret} />}
      </ShownOnce>
    </Stack>
  );
}

function KeyTable({ keys, onRemove }: { keys: readonly ApiKey[]; onRemove: (key: ApiKey) => void }) {
  return (
    <DataTable label="API keys" columns={['Name', 'Created', 'Action']} minWidth={360}>
      {keys.map((key) => (
        <Table.Tr key={key.id}>
          <Table.Td>{key.name}</Table.Td>
          <Table.Td>
            <Moment ms={key.createdAt} />
          </Table.Td>
          <Table.Td>
            <Button
              size="compact-sm"
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
  );
}
