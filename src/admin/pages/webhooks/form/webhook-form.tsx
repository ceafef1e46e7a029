/**
 * The form of a webhook: its name and receiver, which changes it sends, and what it sends of them.
 */
import { Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core';
import { actionWords } from '../../../parts/changes/action-words.ts';
import { BusyButton } from '../../../parts/forms/busy-button.tsx';
import { FormBar, SaveState } from '../../../parts/forms/form-bar.tsx';
import { type FormLabels, FormProblem } from '../../../parts/forms/form-problem.tsx';
import { LeaveGuard } from '../../../parts/forms/leave-guard.tsx';
import { type Form, useForm } from '../../../parts/forms/use-form.ts';
import { blankWebhook, type WebhookFields } from './draft.ts';
import { PredicateField } from './predicate-field.tsx';
import { TypePicker } from './type-picker.tsx';

/** The form of the stored fields. `reload` reads them again when another user has changed them. */
export function WebhookForm({
  stored,
  action,
  save,
  reload,
}: {
  stored: WebhookFields;
  action: string;
  save: (fields: WebhookFields) => Promise<void>;
  reload?: () => Promise<unknown>;
}) {
  const form = useForm({ stored, save, reload });
  const text = (name: 'name' | 'url', label: string, description?: string) => (
    <TextInput
      label={label}
      description={description}
      required
      autoComplete="off"
      spellCheck={false}
      value={form.fields[name]}
      onChange={(event) => form.change({ [name]: event.currentTarget.value })}
      error={form.errorOf(name)}
      data-path={name}
    />
  );
  return (
    <form onSubmit={form.submit} noValidate aria-label="Webhook">
      <LeaveGuard isChanged={form.isChanged} />
      <FormBar state={<SaveState form={form} />} problems={<FormProblem form={form} labels={labels} />}>
        <BusyButton isBusy={form.isSaving}>{action}</BusyButton>
      </FormBar>
      <Stack maw={640} mt="md">
        {text('name', 'Name')}
        {text('url', 'URL', 'The address of the receiver, which begins with https:// or http://.')}
        <TypePicker form={form} />
        <ActionChoice form={form} />
        <PredicateField form={form} />
        <MessageFields form={form} />
      </Stack>
    </form>
  );
}

const labels: FormLabels<WebhookFields> = {
  name: 'Name',
  url: 'URL',
  types: 'Types',
  actions: 'Actions',
  where: 'Predicate',
  payload: 'Payload',
};

/** A check box for each action. */
function ActionChoice({ form: { fields, change, errorOf } }: { form: Form<WebhookFields> }) {
  // The order is always the same, whichever was checked first.
  const choose = (chosen: string[]) =>
    change({ actions: blankWebhook.actions.filter((action) => chosen.includes(action)) });
  return (
    <Checkbox.Group
      label="Actions"
      description="Erased means deleted with the whole history, which is sent whatever the predicate."
      value={[...fields.actions]}
      onChange={choose}
      error={errorOf('actions')}
      data-path="actions"
    >
      <Group my="xs">
        {blankWebhook.actions.map((action) => (
          <Checkbox key={action} value={action} label={actionWords[action]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

/** The choice of the payload. */
function MessageFields({ form: { fields, change, errorOf } }: { form: Form<WebhookFields> }) {
  return (
    <Radio.Group
      label="Payload"
      value={fields.payload}
      onChange={(payload) => change({ payload: payload === 'asset' ? 'asset' : 'thin' })}
      error={errorOf('payload')}
      data-path="payload"
    >
      <Stack gap="xs" mt="xs">
        <Radio value="thin" label="Thin" description="The ID, the type, the action and the version." />
        <Radio
          value="asset"
          label="Asset"
          description="The whole asset as well, as it was after the change."
        />
      </Stack>
    </Radio.Group>
  );
}
