/**
 * The state of a webhook, read again every few seconds, and the button that pauses or enables it.
 */
import { Alert, Anchor, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Webhook } from '../../../api.ts';
import { type Fact, FactTable } from '../../../parts/layout/fact-table.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { Moment } from '../../../parts/time/moment.tsx';
import { describeState } from '../../../parts/webhooks/webhook-state.ts';
import { webhookStatus } from '../webhook-data.ts';
import { describeBacklog } from '../webhook-words.ts';
import { Enabling } from './enabling.tsx';

/** The state; until it is read, that of `seen`. */
export function State({ seen }: { seen: Webhook }) {
  const query = useQuery(webhookStatus(seen.id));
  const webhook = query.data?.data ?? seen;
  const { label, color, meaning } = describeState(webhook);
  return (
    <Stack gap="sm">
      <ProblemAlert
        error={query.error}
        title="The state could not be read, and may have changed"
        onRetry={query.refetch}
      />
      <Group gap="xs">
        <Mark color={color}>{label}</Mark>
        <Text size="sm" role="status">
          {meaning}
        </Text>
      </Group>
      <Troubles webhook={webhook} />
      <Facts webhook={webhook} />
      <Enabling webhook={webhook} />
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
  const time = (ms: number | undefined) => ms !== undefined && <Moment ms={ms} withSeconds />;
  const facts: readonly Fact[] = [
    ['Last success', time(lastSuccessAt) || 'None'],
    ['Fails since', time(failingSince)],
    ['Next attempt', time(retryAt)],
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
