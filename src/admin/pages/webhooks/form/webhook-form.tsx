/**
 * The form of a webhook: its name and receiver, which changes it sends, and what it sends of them.
 */
import { Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core';
import { admin, answer, type Tagged, type Webhook } from '../../../api.ts';
import { actionWords } from '../../../parts/changes/action-words.ts';
import { LastRecordSave } from '../../../parts/changes/last-save.tsx';
import { FormFrame } from '../../../parts/forms/form-frame.tsx';
import { type Form, type FormLabels, type FormOptions, useForm } from '../../../parts/forms/use-form.ts';
import { blankWebhook, toChanges, toFields, type WebhookFields } from './draft.ts';
import { PredicateField } from './predicate-field.tsx';
import { TypePicker } from './type-picker.tsx';

/** The form of a webhook. `reload` reads it again when another user has changed it. */
export function WebhookForm({
  seen,
  save,
  reload,
}: Pick<FormOptions<Webhook, WebhookFields, never>, 'save' | 'reload'> & {
  /** Absent of a new webhook. */
  seen?: Tagged<Webhook>;
}) {
  const id = seen?.data.id ?? 'new';
  const form = useForm<Webhook, WebhookFields>({
    place: `webhook ${id}`,
    labels,
    action: seen ? 'Save' : 'Create webhook',
    seen,
    blank: blankWebhook,
    toFields,
    toBody: (fields) => ({ ...toChanges(fields) }),
    save,
    reload,
  });
  const input = { required: true, autoComplete: 'off', spellCheck: false };
  return (
    <FormFrame
      form={form}
      label="Webhook"
      savedAt={seen?.data.updatedAt}
      lastSave={<LastRecordSave type="Webhook" read={() => answer(admin.getWebhook({ path: { id } }))} />}
    >
      <TextInput label="Name" {...input} {...form.text('name')} />
      <TextInput
        label="URL"
        description="The address of the receiver, which begins with https:// or http://."
        {...input}
        {...form.text('url')}
      />
      <TypePicker form={form} />
      <ActionChoice form={form} />
      <PredicateField form={form} />
      <Radio.Group label="Payload" {...form.input('payload')}>
        <Stack gap="xs" mt="xs">
          <Radio value="thin" label="Thin" description="The ID, the type, the action and the version." />
          <Radio
            value="asset"
            label="Asset"
            description="The whole asset as well, as it was after the change."
          />
        </Stack>
      </Radio.Group>
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
function ActionChoice({ form }: { form: Form<WebhookFields> }) {
  // The order is always the same, whichever was checked first.
  const choose = (chosen: string[]) =>
    form.change({ actions: blankWebhook.actions.filter((action) => chosen.includes(action)) });
  return (
    <Checkbox.Group
      label="Actions"
      description="Erased means deleted with the whole history, which is sent whatever the predicate."
      {...form.input('actions')}
      value={[...form.fields.actions]}
      onChange={choose}
    >
      <Group my="xs">
        {blankWebhook.actions.map((action) => (
          <Checkbox key={action} value={action} label={actionWords[action]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
