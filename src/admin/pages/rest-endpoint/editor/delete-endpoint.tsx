/**
 * Deletes a REST endpoint.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ConfirmByName } from '../../../parts/confirm/confirm-by-name.tsx';
import { DryRunReport } from '../../../parts/confirm/consequences.tsx';
import { type StoredEndpoint, useEndpointChanges } from '../rest-endpoint-data.ts';

/** What deleting does, the button, and the dialog that names the routes that end. */
export function DeleteEndpoint({ stored, onRemoved }: { stored: StoredEndpoint; onRemoved: () => void }) {
  const { remove, tryOut } = useEndpointChanges();
  const [isOpen, { open, close }] = useDisclosure();
  const { id } = stored.data;
  const report = useQuery({
    queryKey: ['rest-endpoints', id, 'dry-run'],
    queryFn: () => tryOut({ change: 'DELETE', id }, stored),
    enabled: isOpen,
    gcTime: 0,
  });
  return (
    <Stack gap="xs">
      <Text size="sm">Its routes and all its versions are deleted. This cannot be undone.</Text>
      <Group>
        <Button variant="outline" color="red" onClick={open}>
          Delete REST endpoint
        </Button>
      </Group>
      <ConfirmByName
        name={stored.data.draft.name}
        title="Delete this REST endpoint?"
        consequence="Its routes stop working immediately, and all its versions are deleted. This cannot be undone."
        action="Delete"
        isOpen={isOpen}
        onClose={close}
        onConfirm={async () => {
          await remove(stored);
          onRemoved();
        }}
        isReady={report.isSuccess && !report.isFetching}
      >
        <DryRunReport query={report} nothing="It has no published routes." />
      </ConfirmByName>
    </Stack>
  );
}
