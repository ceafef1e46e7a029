/**
 * The editor of a REST endpoint: its form and its actions.
 */
import { Alert, Button, List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { BrokenMapping, GraphqlEndpoint, RestEndpoint } from '../../../api.ts';
import { Warnings } from '../../../parts/confirm/consequences.tsx';
import { EndpointState } from '../../../parts/endpoints/endpoint-state.tsx';
import { takeHandedOverMapping } from '../../../parts/endpoints/mapping-handover.ts';
import { FormBar } from '../../../parts/forms/form-bar.tsx';
import { LeaveGuard } from '../../../parts/forms/leave-guard.tsx';
import { Page, Section } from '../../../parts/layout/page.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import { MappingList } from '../mappings/mapping-list.tsx';
import { usePublished } from '../mappings/published.ts';
import { back, type StoredEndpoint } from '../rest-endpoint-data.ts';
import { TryContext, useTryContext } from '../try-it/try-context.ts';
import { actionWords } from '../versions/version-words.ts';
import { ActionProblem } from './action-problem.tsx';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { addHandedOver, type EndpointDraft, emptyDraft, isSameDraft, toDraft } from './draft.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import { type FieldGoal, GoalContext } from './field-goal.ts';
import { useFindings } from './findings.ts';
import { UnsavedEndpoint, useUnsavedEndpoint } from './unsaved-endpoint.tsx';
import { useActions } from './use-actions.ts';

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
  const saved = stored ? toDraft(stored.data.draft) : emptyDraft;
  // Only the form of a new endpoint leaves a draft there.
  const before = useLocation().state as EndpointDraft | null;
  const [draft, setDraft] = useState(() => (stored && before ? toDraft(stored.data.draft, before) : saved));
  const isChanged = !isSameDraft(draft, saved);
  const actions = useActions({
    stored,
    draft,
    isChanged,
    onSaved: ({ data }) => {
      unsaved.forget();
      // What was typed during the save is not saved yet.
      setDraft((present) => (isSameDraft(present, draft) ? toDraft(data.draft, draft) : present));
      if (!stored) onLeave(`/admin/rest-endpoints/${data.id}`, draft);
    },
    onReload: ({ data }) => {
      unsaved.setAside();
      setDraft(toDraft(data.draft, draft));
    },
  });
  const unsaved = useUnsavedEndpoint(stored, draft, isChanged);
  const findings = useFindings({ draft, id: stored?.data.id, isStrict: actions.isTried });
  const published = usePublished({ endpoint: stored?.data, draft, sources });
  const tryContext = useTryContext({ endpointId: stored?.data.id, draft, published });

  const [goal, setGoal] = useState<FieldGoal>();
  const onReached = useCallback(() => setGoal(undefined), []);
  const goalContext = useMemo(() => ({ goal, onReached }), [goal, onReached]);

  const takeOver = useEffectEvent(() => {
    const handedOver = takeHandedOverMapping();
    if (!handedOver) return;
    const added = addHandedOver(draft, handedOver);
    setDraft(added);
    if (added.source !== handedOver.source) notifications.show({ message: otherSource, color: 'orange' });
  });
  useEffect(() => takeOver(), []);

  // A new endpoint needs its source before its mappings can be written.
  const settings = (
    <EndpointFields key="settings" draft={draft} onChange={setDraft} findings={findings} sources={sources} />
  );
  return (
    <Page
      title={stored ? stored.data.draft.name : 'New REST endpoint'}
      back={back}
      actions={stored && <EndpointLinks endpoint={stored.data} />}
    >
      <LeaveGuard isChanged={isChanged} />
      <FormBar
        state={
          <>
            {stored && <EndpointState endpoint={stored.data} />}
            <div>
              <Text size="sm" role="status">
                {!stored ? 'Not saved yet' : isChanged && 'Unsaved changes'}
              </Text>
              {stored && !isChanged && <LastVersion endpoint={stored.data} />}
            </div>
          </>
        }
        problems={
          <ActionProblem id={stored?.data.id ?? 'new'} actions={actions} draft={draft} onGo={setGoal} />
        }
      >
        <EndpointActions stored={stored} isChanged={isChanged} actions={actions} />
      </FormBar>
      <UnsavedEndpoint
        stored={stored}
        draft={draft}
        isChanged={isChanged}
        unsaved={unsaved}
        onRestore={setDraft}
      />
      <Broken broken={stored?.data.broken ?? []} />
      <Warnings warnings={findings.warnings} />
      <GoalContext value={goalContext}>
        <Stack gap="xl">
          {!stored && settings}
          <TryContext value={tryContext}>
            <MappingList
              draft={draft}
              onChange={setDraft}
              onRemoving={unsaved.keepRemoved}
              findings={findings}
            />
          </TryContext>
          {stored && settings}
          {stored && (
            <Section title="Delete">
              <DeleteEndpoint
                stored={stored}
                onRemoved={() => {
                  unsaved.forget();
                  onLeave(back.to);
                }}
              />
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

/** What was done last, by whom and when. */
function LastVersion({ endpoint }: { endpoint: RestEndpoint }) {
  const { number, action, savedAt, savedBy, savedByName = savedBy } = endpoint;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Version {number}, {actionWords[action]} <Ago ms={savedAt} /> by {savedByName}
    </Text>
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
