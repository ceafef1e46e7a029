/**
 * Deletes a GraphQL endpoint that no REST endpoint uses.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmByName } from '../../parts/confirm/confirm-by-name.tsx';
import { DryRunReport } from '../../parts/confirm/consequences.tsx';
import { type TaggedEndpoint, useEndpointChanges } from './endpoint-data.ts';

/** The button and its confirmation dialog. */
export function Delete({ seen, onDeleted }: { seen: TaggedEndpoint; onDeleted: () => void }) {
  const { remove, tryRemove } = useEndpointChanges();
  const [isAsking, setAsking] = useState(false);
  const report = useQuery({
    queryKey: ['graphql-endpoints', seen.data.id, 'dry-run'],
    queryFn: () => tryRemove(seen),
    enabled: isAsking,
    gcTime: 0,
  });
  const { name, path } = seen.data;
  const confirm = async () => {
    await remove(seen);
    onDeleted();
  };
  return (
    <Stack gap="xs">
      <Text size="sm">It can be deleted when no REST endpoint uses it. This cannot be undone.</Text>
      <Group>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          Delete GraphQL endpoint
        </Button>
      </Group>
      <ConfirmByName
        name={name}
        title="Delete this GraphQL endpoint?"
        consequence={`/graphql/${path} stops working immediately. Content stays as it is.`}
        action="Delete"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
        isReady={report.isSuccess && !report.isFetching}
      >
        <DryRunReport query={report} nothing="No published route runs on it." />
      </ConfirmByName>
    </Stack>
  );
}
