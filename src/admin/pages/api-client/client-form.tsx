/**
 * What an API client is called, may do, and is held to.
 */
import { Fieldset, Group, Stack, TextInput } from '@mantine/core';
import { BusyButton } from '../../parts/busy-button.tsx';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { SaveProblem } from '../../parts/save-problem.tsx';
import { type Form, useForm } from '../../parts/use-form.ts';
import type { ClientFields } from './client-data.ts';
import { EndpointPicker } from './endpoint-picker.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { SitePicker } from './site-picker.tsx';

/** The form over the stored fields; `reload` reads them again when somebody else has changed them. */
export function ClientForm({
  stored,
  isNew = false,
  isRevoked = false,
  save,
  reload,
}: {
  stored: ClientFields;
  isNew?: boolean;
  isRevoked?: boolean;
  save: (fields: ClientFields) => Promise<void>;
  reload?: () => Promise<unknown>;
}) {
  const form = useForm({ stored, save, reload });
  return (
    <form onSubmit={form.submit} noValidate>
      <LeaveGuard isChanged={form.isChanged} />
      <Fieldset variant="unstyled" m={0} disabled={isRevoked}>
        <Stack maw={640}>
          <TextInput
            label="Name"
            required
            autoComplete="off"
            value={form.fields.name}
            onChange={(event) => form.change({ name: event.currentTarget.value })}
            error={form.errorOf('name')}
          />
          <ClientId form={form} isNew={isNew} />
          <ScopeChoice form={form} />
          <SitePicker form={form} />
          <EndpointPicker form={form} />
          <SaveProblem error={form.error} onReload={form.startOver} />
          {!isRevoked && (
            <Group>
              <BusyButton isBusy={form.isSaving}>{isNew ? 'Create API client' : 'Save'}</BusyButton>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

function ClientId({ form, isNew }: { form: Form<ClientFields>; isNew: boolean }) {
  return (
    <TextInput
      label="Client ID"
      description={
        isNew
          ? 'What the client calls itself, in X-Client-Id. Leave it empty, and one is made up.'
          : 'It cannot be changed.'
      }
      readOnly={!isNew}
      autoComplete="off"
      value={form.fields.clientId}
      onChange={(event) => form.change({ clientId: event.currentTarget.value })}
      error={form.errorOf('clientId')}
    />
  );
}
