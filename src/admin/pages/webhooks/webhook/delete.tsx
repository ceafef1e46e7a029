/**
 * Deletes a webhook with the log of its deliveries.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmByName } from '../../../parts/confirm/confirm-by-name.tsx';
import { type TaggedWebhook, useWebhookChanges } from '../webhook-data.ts';

/** The button and its confirmation dialog. */
export function Delete({ seen, onDeleted }: { seen: TaggedWebhook; onDeleted: () => void }) {
  const { remove } = useWebhookChanges();
  const [isAsking, { open, close }] = useDisclosure(false);
  return (
    <Stack gap="xs">
      <Text size="sm">To stop sending for a while, pause the webhook. Deleting it cannot be undone.</Text>
      <Group>
        <Button variant="outline" color="red" onClick={open}>
          Delete webhook
        </Button>
      </Group>
      <ConfirmByName
        name={seen.data.name}
        title="Delete this webhook?"
        consequence="Nothing is sent to its receiver any more. Its secret and the log of its deliveries are deleted, too. This cannot be undone."
        action="Delete"
        isOpen={isAsking}
        onClose={close}
        onConfirm={async () => {
          await remove(seen);
          onDeleted();
        }}
      />
    </Stack>
  );
}
