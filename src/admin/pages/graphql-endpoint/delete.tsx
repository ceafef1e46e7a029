/**
 * Deletes a GraphQL endpoint on which nothing runs.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { DryRunReport } from '../../parts/consequences.tsx';
import { type TaggedEndpoint, useEndpointChanges } from './endpoint-data.ts';

/** The button, and the question before it. */
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
      <Text size="sm">It can be deleted once no REST endpoint runs on it. This cannot be undone.</Text>
      <Group>
        <Button variant="outline" color="red" onClick={() => setAsking(true)}>
          Delete GraphQL endpoint
        </Button>
      </Group>
      <ConfirmByName
        name={name}
        title="Delete the GraphQL endpoint?"
        consequence={`/graphql/${path} is gone at once. Content stays as it is.`}
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
