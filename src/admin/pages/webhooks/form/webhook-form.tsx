/**
 * The form of a webhook: its name and receiver, which changes it sends, and what it sends of them.
 */
import { Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core';
import { admin, answer, type Webhook } from '../../../api.ts';
import { actionWords } from '../../../parts/changes/action-words.ts';
import { LastRecordSave } from '../../../parts/changes/last-save.tsx';
import { FormFrame } from '../../../parts/forms/form-frame.tsx';
import type { FormLabels } from '../../../parts/forms/form-problem.tsx';
import { type Form, useForm } from '../../../parts/forms/use-form.ts';
import { blankWebhook, toFields, type WebhookFields } from './draft.ts';
import { PredicateField } from './predicate-field.tsx';
import { TypePicker } from './type-picker.tsx';

/** The form of the stored fields. `reload` reads them again when another user has changed them. */
export function WebhookForm({
  seen,
  save,
  reload,
}: {
  /** Absent of a new webhook. */
  seen?: Webhook;
  save: (fields: WebhookFields) => Promise<void>;
  reload?: () => Promise<unknown>;
}) {
  const id = seen?.id ?? 'new';
  const form = useForm({
    stored: seen ? toFields(seen) : blankWebhook,
    place: `webhook ${id}`,
    save,
    reload,
  });
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
    <FormFrame
      form={form}
      labels={labels}
      label="Webhook"
      action={seen ? 'Save' : 'Create webhook'}
      savedAt={seen?.updatedAt}
      lastSave={<LastRecordSave type="Webhook" read={() => answer(admin.getWebhook({ path: { id } }))} />}
    >
      {text('name', 'Name')}
      {text('url', 'URL', 'The address of the receiver, which begins with https:// or http://.')}
      <TypePicker form={form} />
      <ActionChoice form={form} />
      <PredicateField form={form} />
      <MessageFields form={form} />
    </FormFrame>
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
