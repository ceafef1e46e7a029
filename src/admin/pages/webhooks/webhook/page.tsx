/**
 * The page of a webhook in tabs: its state with a test message, its definition with its secret and deleting it, and a replay. `new` in place
 * of an ID creates one.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import type { IssuedWebhook } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { ConfirmByName } from '../../../parts/confirm/confirm-by-name.tsx';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { PageTabs } from '../../../parts/layout/page-tabs.tsx';
import { ShownOnce } from '../../../parts/layout/shown-once.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { Moment } from '../../../parts/time/moment.tsx';
import { WebhookForm } from '../form/webhook-form.tsx';
import {
  type TaggedWebhook,
  useWebhookChanges,
  webhookForm,
  webhookStatus,
  withLatestTag,
} from '../webhook-data.ts';
import { WebhookProblem } from '../webhook-problem.tsx';
import { Errors } from './errors.tsx';
import { Replay } from './replay.tsx';
import { State } from './state.tsx';
import { TestMessage } from './test-message.tsx';

const back = { to: '/admin/webhooks', label: 'Webhooks' };

/** The page at `/admin/webhooks/:id`. */
export default function WebhookPage() {
  const { id = 'new' } = useParams();
  return id === 'new' ? <NewWebhook /> : <StoredWebhook key={id} id={id} />;
}

function NewWebhook() {
  const navigate = useNavigate();
  const { create } = useWebhookChanges();
  const [issued, setIssued] = useState<IssuedWebhook>();
  return (
    <Page title="New webhook" back={back}>
      {issued ? (
        <ShownSecret
          issued={issued}
          onClose={() => navigate(`/admin/webhooks/${issued.webhook.id}`, { replace: true })}
        />
      ) : (
        <WebhookForm save={async (fields) => setIssued(await create(fields))} />
      )}
    </Page>
  );
}

function StoredWebhook({ id }: { id: string }) {
  const query = useQuery(webhookForm(id));
  const [isGone, setGone] = useState(false);
  if (isGone) return <Navigate to={back.to} replace />;
  return (
    <Page title={query.data?.data.name ?? 'Webhook'} back={back}>
      {query.isPending && <Loading />}
      {!query.data && (
        <WebhookProblem error={query.error} title="The webhook could not be loaded" onRetry={query.refetch} />
      )}
      {query.data && <Parts seen={query.data} reload={query.refetch} onDeleted={() => setGone(true)} />}
    </Page>
  );
}

function Parts({
  seen,
  reload,
  onDeleted,
}: {
  /** The webhook as the form shows it. */
  seen: TaggedWebhook;
  reload: () => Promise<unknown>;
  onDeleted: () => void;
}) {
  const { save } = useWebhookChanges();
  const { id, name } = seen.data;
  const current = withLatestTag(seen, useQuery(webhookStatus(id)).data);
  return (
    <PageTabs
      label="Webhook"
      tabs={[
        {
          id: 'health',
          label: 'Health',
          content: (
            <>
              <Section title="State">
                <State seen={seen.data} />
              </Section>
              <Errors id={id} />
              <Section title="Test message">
                <TestMessage id={id} />
              </Section>
            </>
          ),
        },
        {
          id: 'definition',
          label: 'Definition',
          content: (
            <>
              <Section title="Definition">
                <WebhookForm seen={seen.data} save={(fields) => save(current, fields)} reload={reload} />
              </Section>
              <Section title="Secret">
                <Secret id={id} />
              </Section>
              <Section title="Delete">
                <Delete seen={current} onDeleted={onDeleted} />
              </Section>
            </>
          ),
        },
        { label: 'Deliveries', to: `/admin/webhooks/${id}/deliveries` },
        {
          id: 'replay',
          label: 'Replay',
          content: (
            <Section title="Replay">
              <Replay id={id} name={name} />
            </Section>
          ),
        },
      ]}
    />
  );
}

/** The button and its confirmation dialog. */
function Delete({ seen, onDeleted }: { seen: TaggedWebhook; onDeleted: () => void }) {
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

/** The button that creates a new secret, and the dialog that shows it once. */
function Secret({ id }: { id: string }) {
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

/** The dialog. It is open while there is a secret; `onClose` is called when the user has stored it. */
function ShownSecret({ issued, onClose }: { issued: IssuedWebhook | undefined; onClose: () => void }) {
  return (
    <ShownOnce
      title={`Secret of ${issued?.webhook.name}`}
      why="Colophon stores it encrypted and does not show it again."
      isOpen={issued !== undefined}
      onClose={onClose}
    >
      {issued && <CopyField label="Secret" text={issued.secret} />}
    </ShownOnce>
  );
}
