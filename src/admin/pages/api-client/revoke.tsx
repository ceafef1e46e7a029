/**
 * Revokes an API client permanently.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiClient } from '../../api.ts';
import { ConfirmByName } from '../../parts/confirm/confirm-by-name.tsx';
import { useClientChanges } from './client-data.ts';

/** The button and its confirmation dialog. */
export function Revoke({ client }: { client: ApiClient }) {
  const { revoke } = useClientChanges();
  const [isAsking, setAsking] = useState(false);
  return (
    <Stack gap="xs">
      <Text size="sm">The client and its keys stop working immediately. This cannot be undone.</Text>
      <Group>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          Revoke API client
        </Button>
      </Group>
      <ConfirmByName
        name={client.name}
        title="Revoke this API client?"
        consequence={`${client.name} and its keys stop working immediately. This cannot be undone.`}
        action="Revoke"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => void (await revoke(client.clientId))}
      />
    </Stack>
  );
}
