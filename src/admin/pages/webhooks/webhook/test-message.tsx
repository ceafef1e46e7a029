/**
 * Sends a test message to the receiver of a webhook, and shows what it answered.
 */
import { Group, Stack, Text } from '@mantine/core';
import type { SyntheticEvent } from 'react';
import { BusyButton, useAction } from '../../../parts/forms/busy-button.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { Exchange } from '../exchange.tsx';
import { useWebhookChanges } from '../webhook-data.ts';

/** The button, and the last result. */
export function TestMessage({ id }: { id: string }) {
  const { test } = useWebhookChanges();
  const { run, data, error, isPending } = useAction(() => test(id));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    run();
  };
  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Text size="sm">
            Sends a signed message of the type <code>webhook.test</code> to the saved URL, also while the
            webhook is paused. It does not appear among the deliveries.
          </Text>
          <Group>
            <BusyButton variant="default" isBusy={isPending}>
              Send a test message
            </BusyButton>
          </Group>
        </Stack>
      </form>
      {!isPending && <ProblemAlert error={error} title="The test message could not be sent" />}
      {!isPending && data && <Exchange attempt={data} isDelivered={data.delivered} request={data.request} />}
    </Stack>
  );
}
