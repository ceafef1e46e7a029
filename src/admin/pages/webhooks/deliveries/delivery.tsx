/**
 * The page of one delivery: the change, the last attempt with request and response, and sending it again.
 */
import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SyntheticEvent } from 'react';
import { Link, useParams } from 'react-router';
import type { WebhookDelivery } from '../../../api.ts';
import { AssetName, TypeName } from '../../../parts/assets/asset-name.tsx';
import { actionWords } from '../../../parts/changes/actor-name.tsx';
import { pathOfAsset } from '../../../parts/data/load-titles.ts';
import { BusyButton, useAction } from '../../../parts/forms/busy-button.tsx';
import { type Fact, FactTable } from '../../../parts/layout/fact-table.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { Moment } from '../../../parts/time/ago.tsx';
import { Exchange } from '../exchange.tsx';
import { NextAttempt } from '../next-attempt.tsx';
import { webhookStatus } from '../webhook-data.ts';
import { WebhookProblem } from '../webhook-problem.tsx';
import { delivery, useResend } from './delivery-data.ts';
import { stateWords } from './delivery-words.ts';

/** The page at `/admin/webhooks/:id/deliveries/:seq`. */
export default function DeliveryPage() {
  const { id = '', seq = '' } = useParams();
  const query = useQuery(delivery(id, Number(seq)));
  return (
    <Page
      title={`Delivery of change ${seq}`}
      back={{ to: `/admin/webhooks/${id}/deliveries`, label: 'Deliveries' }}
    >
      {query.isPending && <Loading />}
      {!query.data && (
        <WebhookProblem
          error={query.error}
          title="The delivery could not be loaded"
          onRetry={query.refetch}
        />
      )}
      {query.data && (
        <Stack gap="xl">
          <Facts id={id} item={query.data.delivery} />
          <Section title="Send again">
            <Resend key={seq} id={id} item={query.data.delivery} />
          </Section>
          <Section title="Last attempt">
            <Exchange
              attempt={query.data.delivery}
              isDelivered={query.data.delivery.state === 'delivered'}
              request={query.data.request}
            />
          </Section>
        </Stack>
      )}
    </Page>
  );
}

function Facts({ id, item }: { id: string; item: WebhookDelivery }) {
  const webhook = useQuery(webhookStatus(id)).data?.data;
  const { asset, type, action, state, attempts, nextAttemptAt, messageId, url } = item;
  const { label, color } = stateWords[state];
  const facts: readonly Fact[] = [
    [
      'State',
      <Mark key="state" color={color}>
        {label}
      </Mark>,
    ],
    ['Action', actionWords[action]],
    [
      'Asset',
      <Anchor
        key="asset"
        component={Link}
        to={`${pathOfAsset({ _id: asset, _type: type })}?tab=history`}
        size="sm"
      >
        <AssetName id={asset} />
      </Anchor>,
    ],
    ['Type', <TypeName key="type" className={type} />],
    ['Attempts', attempts],
    [
      'Next attempt',
      nextAttemptAt !== undefined && (
        <NextAttempt key="next" at={nextAttemptAt} state={webhook?.state}>
          <Moment ms={nextAttemptAt} withSeconds />
        </NextAttempt>
      ),
    ],
    ['Receiver', url],
    ['webhook-id', <Code key="id">{messageId}</Code>],
  ];
  return <FactTable facts={facts} />;
}

function Resend({ id, item: { seq, state } }: { id: string; item: WebhookDelivery }) {
  const resend = useResend();
  const { run, error, isPending, submittedAt } = useAction(() => resend({ id, seq }));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    run();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Text size="sm">
          {state === 'delivered'
            ? 'The receiver gets the message once more, with the same webhook-id.'
            : 'The change is sent now. Later changes of the asset follow at the next planned attempt.'}
        </Text>
        <Group>
          <BusyButton variant="default" isBusy={isPending}>
            Send again
          </BusyButton>
        </Group>
        {!isPending && <ProblemAlert error={error} title="The change could not be sent" />}
        {!isPending && !error && submittedAt > 0 && (
          <Text size="sm" role="status">
            Sent again. The outcome is below.
          </Text>
        )}
      </Stack>
    </form>
  );
}
