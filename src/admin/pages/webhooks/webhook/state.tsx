/**
 * The state of a webhook, read again every few seconds, and the button that pauses or enables it.
 */
import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Webhook } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { countOf } from '../../../parts/data/number-words.ts';
import { type Fact, FactTable } from '../../../parts/layout/fact-table.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import { describeState } from '../../../parts/webhooks/webhook-state.ts';
import { NextAttempt } from '../next-attempt.tsx';
import { describeBacklog, useWebhookChanges, webhookStatus } from '../webhook-data.ts';

/** The state; until it is read, that of `seen`. */
export function State({ seen }: { seen: Webhook }) {
  const query = useQuery(webhookStatus(seen.id));
  const webhook = query.data?.data ?? seen;
  const { meaning } = describeState(webhook);
  return (
    <Stack gap="sm">
      <ProblemAlert
        error={query.error}
        title="The state could not be read, and may have changed"
        onRetry={query.refetch}
      />
      <Text size="sm" role="status">
        {meaning}
      </Text>
      <Troubles webhook={webhook} />
      <Facts webhook={webhook} />
    </Stack>
  );
}

function Troubles({ webhook }: { webhook: Webhook }) {
  const { problems = [], missedBefore } = webhook;
  return (
    <>
      {problems.length > 0 && (
        <Alert color="red" variant="light" title="What does not fit">
          <List size="sm">
            {problems.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                <strong>{path}</strong> {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {missedBefore !== undefined && (
        <Alert color="orange" variant="light" title="Changes were missed">
          Changes before {missedBefore} were removed from the change log before they could be sent.
        </Alert>
      )}
    </>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { id, lastSuccessAt, failingSince, retryAt, disabledAt, heldAssets, position, createdAt } = webhook;
  const time = (ms: number | undefined) => ms !== undefined && <Ago ms={ms} />;
  const facts: readonly Fact[] = [
    ['Last success', time(lastSuccessAt) || 'None'],
    ['Fails since', time(failingSince)],
    [
      'Next attempt',
      retryAt !== undefined && (
        // One delivery tries a receiver that fails, and is on its way when its time has come.
        <NextAttempt key="next" at={retryAt} state={webhook.state === 'failing' ? 'active' : webhook.state}>
          {time(retryAt)}
        </NextAttempt>
      ),
    ],
    ['Disabled', time(disabledAt)],
    [
      'Backlog',
      <>
        {describeBacklog(webhook)}{' '}
        {heldAssets > 0 && (
          <Anchor
            component={Link}
            to={`/admin/webhooks/${id}/deliveries?state=waiting`}
            size="sm"
            underline="always"
          >
            What waits
          </Anchor>
        )}
      </>,
    ],
    ['Position', `change ${position}`],
    ['Created', time(createdAt)],
  ];
  return <FactTable facts={facts} />;
}

/** The state in a word, and the button that pauses or enables the webhook, for the bar of a page. */
export function StateInBar({ id }: { id: string }) {
  const webhook = useQuery(webhookStatus(id)).data?.data;
  if (!webhook) return null;
  const { label, color } = describeState(webhook);
  return (
    <>
      <Mark color={color}>{label}</Mark>
      <Enabling webhook={webhook} />
    </>
  );
}

/** The button, and the dialog that says what follows. */
function Enabling({ webhook }: { webhook: Webhook }) {
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
    <>
      <Button variant="default" size="xs" onClick={ask}>
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
    </>
  );
}

const pausing =
  'Nothing is sent until someone enables it. It then continues where it stopped, as far as the change log goes back.';

function describeEnabling({ position, behind, heldAssets }: Webhook): string {
  const held = heldAssets > 0 ? ` What waits for ${countOf(heldAssets, 'asset')} is tried at once.` : '';
  if (behind === 0) return `It sends the changes from now on.${held}`;
  return `It continues after change ${position}: ${countOf(behind, 'change')} of all content and settings ${behind === 1 ? 'is' : 'are'} checked, and those that match are sent.${held}`;
}
