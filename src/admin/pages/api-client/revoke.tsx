/**
 * Ends an API client for good.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiClient } from '../../api.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { useClientChanges } from './client-data.ts';

/** The button, and the question before it. */
export function Revoke({ client }: { client: ApiClient }) {
  const { revoke } = useClientChanges();
  const [isAsking, setAsking] = useState(false);
  return (
    <Stack gap="xs">
      <Text size="sm">A revoked client and its keys are refused from then on. This cannot be undone.</Text>
      <Group>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          Revoke API client
        </Button>
      </Group>
      <ConfirmByName
        name={client.name}
        title="Revoke the API client?"
        consequence={`${client.name} and its keys are refused at once, for good.`}
        action="Revoke"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => void (await revoke(client.clientId))}
      />
    </Stack>
  );
}
