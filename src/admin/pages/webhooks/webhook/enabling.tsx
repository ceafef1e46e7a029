/**
 * Pauses a webhook, or enables it again.
 */
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Webhook } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { countOf } from '../../../parts/data/number-words.ts';
import { useWebhookChanges } from '../webhook-data.ts';

/** The button, and the dialog that says what follows. */
export function Enabling({ webhook }: { webhook: Webhook }) {
  const { setEnabled } = useWebhookChanges();
  const [isAsking, { open, close }] = useDisclosure(false);
  // The dialog goes on asking what it asked, even if the state changes meanwhile.
  const [asked, setAsked] = useState(webhook);
  const ask = () => {
    setAsked(webhook);
    open();
  };
  const isOff = asked.state === 'disabled';
  return (
    <Group>
      <Button variant="default" onClick={ask}>
        {webhook.state === 'disabled' ? 'Enable…' : 'Pause…'}
      </Button>
      <Confirm
        title={`${isOff ? 'Enable' : 'Pause'} ${asked.name}?`}
        consequence={isOff ? describeEnabling(asked) : pausing}
        action={isOff ? 'Enable' : 'Pause'}
        color="indigo"
        isOpen={isAsking}
        onClose={close}
        onConfirm={async () => {
          await setEnabled(asked.id, isOff);
          close();
        }}
      />
    </Group>
  );
}

const pausing =
  'Nothing is sent until someone enables it. It then continues where it stopped, as far as the change log goes back.';

function describeEnabling({ position, behind, heldAssets }: Webhook): string {
  const held = heldAssets > 0 ? ` What waits for ${countOf(heldAssets, 'asset')} is tried at once.` : '';
  if (behind === 0) return `It sends the changes from now on.${held}`;
  return `It continues after change ${position}: ${countOf(behind, 'change')} of all content and settings ${behind === 1 ? 'is' : 'are'} examined, and those that match are sent.${held}`;
}
