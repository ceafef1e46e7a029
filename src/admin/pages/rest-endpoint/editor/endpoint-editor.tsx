/**
 * The editor of a REST endpoint: its form and its actions.
 */
import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { admin, answer, type BrokenMapping, type GraphqlEndpoint, type RestEndpoint } from '../../../api.ts';
import { SavedBy } from '../../../parts/changes/last-save.tsx';
import { AskedAction } from '../../../parts/confirm/asked-action.tsx';
import { Warnings } from '../../../parts/confirm/consequences.tsx';
import { EndpointState } from '../../../parts/endpoints/endpoint-state.tsx';
import { takeHandedOverMapping } from '../../../parts/endpoints/mapping-handover.ts';
import { FormHead } from '../../../parts/forms/form-frame.tsx';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import { UnsavedFields } from '../../../parts/unsaved/unsaved-strip.tsx';
import { MappingList } from '../mappings/mapping-list.tsx';
import { usePublished } from '../mappings/published.ts';
import { actionWords, back, type StoredEndpoint, useEndpointChanges } from '../rest-endpoint-data.ts';
import { TryContext, useTryContext } from '../try-it/try-context.ts';
import { addHandedOver, type EndpointDraft, withNewKeys } from './draft.ts';
import { EndpointFields } from './endpoint-fields.tsx';
import { type FieldGoal, GoalContext, isChangedAt, placeOf } from './field-goal.ts';
import { useFindings } from './findings.ts';
import { type EndpointForm, useEndpointForm } from './use-endpoint-form.ts';

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
      <Anchor component={Link} to={`/admin/rest-endpoints/${id}/versions`} size="sm" c="dimmed">
        Versions
      </Anchor>
      {published && (
        <Anchor component={Link} to={`/docs/${id}`} size="sm" c="dimmed">
          Reference
        </Anchor>
      )}
    </>
  );
}

/** The bar of the form with the buttons that apply to the current state; `onGo` leads to the field of a problem. */
function EndpointActions({
  stored,
  form,
  onGo,
}: {
  stored: StoredEndpoint | undefined;
  form: EndpointForm;
  onGo: (goal: FieldGoal) => void;
}) {
  const { run, isSaving, isNew, isChanged, tried } = form;
  const placeAt = (path: string) => {
    const place = tried && placeOf(tried.fields, path);
    return (
      place && {
        label: place.label,
        isChanged: isChangedAt(place, tried.fields, form.fields),
        onGo: () => onGo({ mapping: place.mapping, member: place.member }),
      }
    );
  };
  return (
    <FormHead
      form={form}
      state={<FormState stored={stored} isChanged={isChanged} />}
      placeOf={placeAt}
      lastSave={stored && <LastEndpointSave id={stored.data.id} />}
    >
      <Button
        variant="default"
        disabled={!isNew && !isChanged}
        loading={isSaving}
        onClick={() => run('save')}
      >
        {form.action}
      </Button>
      <Button
        disabled={stored?.data.state === 'published' && !isChanged}
        loading={isSaving}
        onClick={() => run('publish')}
      >
        Publish
      </Button>
      {stored?.data.published && (
        <Button variant="default" loading={isSaving} onClick={() => run('unpublish')}>
          Unpublish
        </Button>
      )}
    </FormHead>
  );
}

function FormState({ stored, isChanged }: { stored: StoredEndpoint | undefined; isChanged: boolean }) {
  return (
    <>
      {stored && <EndpointState endpoint={stored.data} />}
      <div>
        <Text size="xs" role="status">
          {!stored ? 'Not saved yet' : isChanged && 'Unsaved changes'}
        </Text>
        {stored && !isChanged && <LastVersion endpoint={stored.data} />}
      </div>
    </>
  );
}

/** What was done last, by whom and when. */
function LastVersion({ endpoint }: { endpoint: RestEndpoint }) {
  const { number, action, savedAt, savedBy, savedByName = savedBy } = endpoint;
  return (
    <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      Version {number}, {actionWords[action]} <Ago ms={savedAt} /> by {savedByName}
    </Text>
  );
}

/** Who saved the endpoint last. Nothing that the page shows is replaced by what is read here. */
function LastEndpointSave({ id }: { id: string }) {
  const queryFn = () => answer(admin.getRestEndpoint({ path: { id } }));
  const { data } = useQuery({ queryKey: ['rest-endpoints', id, 'last save'], queryFn, gcTime: 0 });
  return data ? <SavedBy name={data.savedByName ?? data.savedBy} at={data.savedAt} /> : null;
}
