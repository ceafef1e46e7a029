/**
 * The secret of an API client: it can be replaced, but not shown again.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiClient, IssuedClient } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { useClientChanges } from './client-data.ts';
import { ShownCredentials } from './shown-credentials.tsx';

/** The button that generates a new secret, and the dialog that shows it once. */
export function Secret({ client }: { client: ApiClient }) {
  const { rotate } = useClientChanges();
  const [isAsking, setAsking] = useState(false);
  const [issued, setIssued] = useState<IssuedClient>();
  const confirm = async () => {
    setIssued(await rotate(client.clientId));
    setAsking(false);
  };
  return (
    <Stack gap="xs">
      <Text size="sm">
        Colophon keeps only a hash of the secret. If the secret is lost or has leaked, create a new one.
      </Text>
      <Group>
        <Button variant="default" onClick={() => setAsking(true)}>
          New secret
        </Button>
      </Group>
      <Confirm
        title="Create a new secret?"
        consequence="The current secret stops working immediately. Programs that use it are refused until they have the new one."
        action="Create a new secret"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
      />
      <ShownCredentials issued={issued} onClose={() => setIssued(undefined)} />
    </Stack>
  );
}
