/**
 * The editor of a REST endpoint: its form and its actions.
 */
import { Alert, Button, List, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { BrokenMapping, GraphqlEndpoint, RestEndpoint } from '../../../api.ts';
import { AskedAction } from '../../../parts/confirm/asked-action.tsx';
import { Warnings } from '../../../parts/confirm/consequences.tsx';
import { takeHandedOverMapping } from '../../../parts/endpoints/mapping-handover.ts';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { UnsavedFields } from '../../../parts/unsaved/unsaved-strip.tsx';
import { MappingList } from '../mappings/mapping-list.tsx';
import { usePublished } from '../mappings/published.ts';
import { back, type StoredEndpoint, useEndpointChanges } from '../rest-endpoint-data.ts';
import { TryContext, useTryContext } from '../try-it/try-target.ts';
import { addHandedOver, type EndpointDraft, withNewKeys } from './draft.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import { type FieldGoal, GoalContext } from './field-goal.ts';
import { useFindings } from './findings.ts';
import { useEndpointForm } from './use-endpoint-form.ts';

/** The form; `onLeave` opens another page without asking about changes. That of a new endpoint hands what it knows of mappings to the next. */
export function EndpointEditor({
  stored,
  sources,
  onLeave,
}: {
  stored: StoredEndpoint | undefined;
  sources: readonly GraphqlEndpoint[];
  onLeave: (path: string, state?: unknown) => void;
}) {
  // Only the form of a new endpoint leaves a draft there.
  const before = useLocation().state as EndpointDraft | null;
  const form = useEndpointForm({
    stored,
    before,
    onCreated: (id, draft) => onLeave(`/admin/rest-endpoints/${id}`, draft),
  });
  const { fields: draft, change } = form;
  const { remove, tryOut } = useEndpointChanges();
  const findings = useFindings({ draft, id: stored?.data.id, isStrict: form.tried !== undefined });
  const published = usePublished({ endpoint: stored?.data, draft, sources });
  const tryContext = useTryContext({ endpointId: stored?.data.id, draft, published });

  const [goal, setGoal] = useState<FieldGoal>();
  const onReached = useCallback(() => setGoal(undefined), []);
  const goalContext = useMemo(() => ({ goal, onReached }), [goal, onReached]);

  const takeOver = useEffectEvent(() => {
    const handedOver = takeHandedOverMapping();
    if (!handedOver) return;
    const added = addHandedOver(draft, handedOver);
    change(added);
    if (added.source !== handedOver.source) notifications.show({ message: otherSource, color: 'orange' });
  });
  useEffect(() => takeOver(), []);

  // A new endpoint needs its source before its mappings can be written.
  const settings = (
    <EndpointFields key="settings" draft={draft} onChange={change} findings={findings} sources={sources} />
  );
  return (
    <Page
      title={stored ? stored.data.draft.name : 'New REST endpoint'}
      back={back}
      actions={stored && <EndpointLinks endpoint={stored.data} />}
    >
      <EndpointActions stored={stored} form={form} onGo={setGoal} />
      <UnsavedFields form={form} renew={withNewKeys} />
      <Broken broken={stored?.data.broken ?? []} />
      <Warnings warnings={findings.warnings} />
      <GoalContext value={goalContext}>
        <Stack gap="xl">
          {!stored && settings}
          <TryContext value={tryContext}>
            <MappingList
              draft={draft}
              onChange={change}
              onRemoving={(name) => form.setAside(`You have removed ${name}`, 'mappings')}
              findings={findings}
            />
          </TryContext>
          {stored && settings}
          {stored && (
            <Section title="Delete">
              <AskedAction
                name={stored.data.draft.name}
                button="Delete REST endpoint"
                title="Delete this REST endpoint?"
                consequence="Its routes stop working immediately, and all its versions are deleted. This cannot be undone."
                action="Delete"
                dryRun={{
                  queryKey: ['rest-endpoints', stored.data.id, 'dry-run'],
                  queryFn: () => tryOut({ change: 'DELETE', id: stored.data.id }, stored),
                  nothing: 'It has no published routes.',
                }}
                onConfirm={async () => {
                  await remove(stored);
                  form.unsaved.forget();
                  onLeave(back.to);
                }}
              >
                Its routes and all its versions are deleted. This cannot be undone.
              </AskedAction>
            </Section>
          )}
        </Stack>
      </GoalContext>
    </Page>
  );
}

const otherSource = 'The query was written for a different GraphQL endpoint than the source of this one.';

function Broken({ broken }: { broken: readonly BrokenMapping[] }) {
  if (broken.length === 0) return null;
  return (
    <Alert color="red" title="Published routes that no longer work">
      They return 500 because the content types or the source have changed. Correct the queries and publish
      again.
      <List size="sm" mt="xs">
        {broken.flatMap(({ mapping, problems }) =>
          problems.map(({ message, line, column }) => (
            <List.Item key={`${mapping} ${line} ${column} ${message}`}>
              <strong>{mapping}</strong>, line {line}, column {column}: {message}
            </List.Item>
          )),
        )}
      </List>
    </Alert>
  );
}

/** The pages that belong to the endpoint. */
function EndpointLinks({ endpoint: { id, published } }: { endpoint: RestEndpoint }) {
  return (
    <>
      <Button component={Link} to={`/admin/rest-endpoints/${id}/versions`} variant="default" size="xs">
        Versions
      </Button>
      {published && (
        <Button component={Link} to={`/docs/${id}`} variant="default" size="xs">
          Reference
        </Button>
      )}
    </>
  );
}
