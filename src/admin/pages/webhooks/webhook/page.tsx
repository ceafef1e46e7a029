/**
 * The page of a webhook: its state, its definition, a test message, its secret, a replay, and deleting it. `new` in place of an ID
 * creates one.
 */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import type { IssuedWebhook } from '../../../api.ts';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { blankWebhook, toFields } from '../form/draft.ts';
import { WebhookForm } from '../form/webhook-form.tsx';
import {
  type TaggedWebhook,
  useWebhookChanges,
  webhookForm,
  webhookStatus,
  withLatestTag,
} from '../webhook-data.ts';
import { WebhookProblem } from '../webhook-problem.tsx';
import { Delete } from './delete.tsx';
import { Replay } from './replay.tsx';
import { Secret } from './secret.tsx';
import { ShownSecret } from './shown-secret.tsx';
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
        <WebhookForm
          stored={blankWebhook}
          action="Create webhook"
          save={async (fields) => setIssued(await create(fields))}
        />
      )}
    </Page>
  );
}

function StoredWebhook({ id }: { id: string }) {
  const query = useQuery(webhookForm(id));
  const [isGone, setGone] = useState(false);
  if (isGone) return <Navigate to={back.to} replace />;
  const deliveries = (
    <Button component={Link} to={`/admin/webhooks/${id}/deliveries`} variant="default">
      Deliveries
    </Button>
  );
  return (
    <Page title={query.data?.data.name ?? 'Webhook'} back={back} actions={query.data && deliveries}>
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
    <>
      <Section title="State">
        <State seen={seen.data} />
      </Section>
      <Section title="Definition">
        <WebhookForm
          stored={toFields(seen.data)}
          action="Save"
          save={(fields) => save(current, fields)}
          reload={reload}
        />
      </Section>
      <Section title="Test message">
        <TestMessage id={id} />
      </Section>
      <Section title="Replay">
        <Replay id={id} name={name} />
      </Section>
      <Section title="Secret">
        <Secret id={id} />
      </Section>
      <Section title="Delete">
        <Delete seen={current} onDeleted={onDeleted} />
      </Section>
    </>
  );
}
