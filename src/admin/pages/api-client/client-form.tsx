/**
 * The name, scopes and restrictions of an API client.
 */
import { Fieldset, Group, Stack, TextInput } from '@mantine/core';
import { BusyButton } from '../../parts/forms/busy-button.tsx';
import { type FormLabels, FormProblem } from '../../parts/forms/form-problem.tsx';
import { LeaveGuard } from '../../parts/forms/leave-guard.tsx';
import { type Form, useForm } from '../../parts/forms/use-form.ts';
import type { ClientFields } from './client-data.ts';
import { EndpointPicker } from './endpoint-picker.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { SitePicker } from './site-picker.tsx';

/** The form of the stored fields. `reload` reads them again when another user has changed them. */
export function ClientForm({
  stored,
  isNew = false,
  isReadOnly = false,
  save,
  reload,
}: {
  stored: ClientFields;
  isNew?: boolean;
  isReadOnly?: boolean;
  save: (fields: ClientFields) => Promise<void>;
  reload?: () => Promise<unknown>;
}) {
  const form = useForm({ stored, save, reload });
  return (
    <form onSubmit={form.submit} noValidate>
      <LeaveGuard isChanged={form.isChanged} />
      <Fieldset variant="unstyled" m={0} disabled={isReadOnly}>
        <Stack maw={640}>
          <TextInput
            label="Name"
            required
            autoComplete="off"
            value={form.fields.name}
            onChange={(event) => form.change({ name: event.currentTarget.value })}
            error={form.errorOf('name')}
            data-path="name"
          />
          <ClientId form={form} isNew={isNew} />
          <ScopeChoice form={form} />
          <SitePicker form={form} />
          <EndpointPicker form={form} />
          <FormProblem form={form} labels={labels} />
          {!isReadOnly && (
            <Group>
              <BusyButton isBusy={form.isSaving}>{isNew ? 'Create API client' : 'Save'}</BusyButton>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

const labels: FormLabels<ClientFields> = {
  name: 'Name',
  clientId: 'Client ID',
  scopes: 'Scopes',
  sites: 'Sites',
  endpoints: 'GraphQL endpoints',
};

function ClientId({ form, isNew }: { form: Form<ClientFields>; isNew: boolean }) {
  return (
    <TextInput
      label="Client ID"
      description={
        isNew
          ? 'The ID that the client sends in X-Client-Id. Leave empty to generate one.'
          : 'It cannot be changed.'
      }
      readOnly={!isNew}
      autoComplete="off"
      value={form.fields.clientId}
      onChange={(event) => form.change({ clientId: event.currentTarget.value })}
      error={form.errorOf('clientId')}
      data-path="clientId"
    />
  );
}
