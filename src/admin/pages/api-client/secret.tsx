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
        Only a hash of the secret is kept. If it is lost or known to others, give a new one.
      </Text>
      <Group>
        <Button variant="default" onClick={() => setAsking(true)}>
          New secret
        </Button>
      </Group>
      <Confirm
        title="Give a new secret?"
        consequence="The present secret ends at once: what still uses it is refused until it has the new one."
        action="Give a new secret"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
      />
      <ShownCredentials issued={issued} onClose={() => setIssued(undefined)} />
    </Stack>
  );
}
