/**
 * The buttons that save, publish and unpublish a REST endpoint, and its state beside them.
 */
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin, answer, type RestEndpoint } from '../../../api.ts';
import { SavedBy } from '../../../parts/changes/last-save.tsx';
import { EndpointState } from '../../../parts/endpoints/endpoint-state.tsx';
import { FormHead } from '../../../parts/forms/form-frame.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import { actionWords, type StoredEndpoint } from '../rest-endpoint-data.ts';
import { type FieldGoal, isChangedAt, placeOf } from './field-goal.ts';
import type { EndpointForm } from './use-endpoint-form.ts';

/** The bar of the form with the buttons that apply to the current state; `onGo` leads to the field of a problem. */
export function EndpointActions({
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
        <Text size="sm" role="status">
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
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
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
