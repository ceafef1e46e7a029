/**
 * The API keys of a client: adds, lists and removes them, and shows a new one once.
 */
import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiClient, ApiKey, IssuedKey } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { CopyField } from '../../parts/layout/copy-field.tsx';
import { ShownOnce } from '../../parts/layout/shown-once.tsx';
import { AddKey } from './add-key.tsx';
import { useClientChanges } from './client-data.ts';
import { KeyTable } from './key-table.tsx';

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
      <MissingScope client={client} />
      {client.keys.length > 0 && <KeyTable client={client} onRemove={setLeaving} />}
      <AddKey add={async (key) => setIssued(await addKey(client.clientId, key))} />
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
        <MissingScope client={client} />
      </ShownOnce>
    </Stack>
  );
}

/** Says that endpoints refuse the keys of a client; nothing if they do not. */
function MissingScope({ client: { scopes } }: { client: ApiClient }) {
  if (scopes.includes('graphql')) return null;
  return (
    <Alert color="orange" variant="light" title="Endpoints refuse the keys of this client">
      It lacks the scope graphql. Its keys work as soon as it has that scope.
    </Alert>
  );
}
