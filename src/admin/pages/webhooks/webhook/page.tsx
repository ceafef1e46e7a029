/**
 * The page of a webhook in tabs: its state with a test message, its definition with its secret and deleting it, and a replay. `new` in place
 * of an ID creates one.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import type { IssuedWebhook, Tagged, Webhook } from '../../../api.ts';
import { AskedAction } from '../../../parts/confirm/asked-action.tsx';
import { CopyField, ShownOnce } from '../../../parts/layout/copy-field.tsx';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { PageTabs } from '../../../parts/layout/page-tabs.tsx';
import { Loaded } from '../../../parts/loading/loading.tsx';
import { Moment } from '../../../parts/time/ago.tsx';
import { WebhookForm } from '../form/webhook-form.tsx';
import { useWebhookChanges, webhookForm, webhookStatus, withLatestTag } from '../webhook-data.ts';
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
        <WebhookForm save={async ({ fields }) => setIssued(await create(fields))} />
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
      <Loaded query={query} what="webhook" Problem={WebhookProblem}>
        {(seen) => <Parts seen={seen} reload={query.refetch} onDeleted={() => setGone(true)} />}
      </Loaded>
    </Page>
  );
}

function Parts({
  seen,
  reload,
  onDeleted,
}: {
  /** The webhook as the form shows it. */
  seen: Tagged<Webhook>;
  reload: () => Promise<{ readonly data: Tagged<Webhook> | undefined }>;
  onDeleted: () => void;
}) {
  const { save, remove } = useWebhookChanges();
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
                <WebhookForm
                  seen={current}
                  save={({ fields, seen: on = current }) => save(fields, on)}
                  reload={reload}
                />
              </Section>
              <Section title="Secret">
                <Secret id={id} />
              </Section>
              <Section title="Delete">
                <AskedAction
                  name={name}
                  button="Delete webhook"
                  title="Delete this webhook?"
                  consequence="Nothing is sent to its receiver any more. Its secret and the log of its deliveries are deleted, too. This cannot be undone."
                  action="Delete"
                  onConfirm={async () => {
                    await remove(current);
                    onDeleted();
                  }}
                >
                  To stop sending for a while, pause the webhook. Deleting it cannot be undone.
                </AskedAction>
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

/** The button that creates a new secret, and the dialog that shows it once. */
function Secret({ id }: { id: string }) {
  const { rotate } = useWebhookChanges();
  const until = useQuery(webhookStatus(id)).data?.data.formerSecretUntil;
  const [issued, setIssued] = useState<IssuedWebhook>();
  return (
    <>
      <AskedAction
        button="New secret…"
        title="Create a new secret?"
        consequence="For a day, messages have two signatures, with the new and the current secret. After that, receivers that know only the current one refuse them."
        action="Create a new secret"
        onConfirm={async () => setIssued(await rotate(id))}
      >
        Messages are signed with the secret, so that the receiver can verify them.
        {until !== undefined && (
          <>
            {' '}
            The former secret is used as well until <Moment ms={until} />.
          </>
        )}
      </AskedAction>
      <ShownSecret issued={issued} onClose={() => setIssued(undefined)} />
    </>
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
