/**
 * The secret of a webhook: it can be replaced, but not shown again.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedWebhook } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { Moment } from '../../../parts/time/moment.tsx';
import { useWebhookChanges, webhookStatus } from '../webhook-data.ts';
import { ShownSecret } from './shown-secret.tsx';

/** The button that creates a new secret, and the dialog that shows it once. */
export function Secret({ id }: { id: string }) {
  const { rotate } = useWebhookChanges();
  const until = useQuery(webhookStatus(id)).data?.data.formerSecretUntil;
  const [isAsking, { open, close }] = useDisclosure(false);
  const [issued, setIssued] = useState<IssuedWebhook>();
  return (
    <Stack gap="xs">
      <Text size="sm">
        Messages are signed with the secret, so that the receiver can verify them.
        {until !== undefined && (
          <>
            {' '}
            The former secret is used as well until <Moment ms={until} />.
          </>
        )}
      </Text>
      <Group>
        <Button variant="default" onClick={open}>
          New secret…
        </Button>
      </Group>
      <Confirm
        title="Create a new secret?"
        consequence="For a day, messages have two signatures, with the new and the current secret. After that, receivers that know only the current one refuse them."
        action="Create a new secret"
        isOpen={isAsking}
        onClose={close}
        onConfirm={async () => {
          setIssued(await rotate(id));
          close();
        }}
      />
      <ShownSecret issued={issued} onClose={() => setIssued(undefined)} />
    </Stack>
  );
}
