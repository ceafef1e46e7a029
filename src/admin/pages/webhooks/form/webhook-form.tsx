/**
 * The form of a webhook: its name and receiver, which changes it sends, and what it sends of them.
 */
import { Group, Stack, TextInput } from '@mantine/core';
import { BusyButton } from '../../../parts/forms/busy-button.tsx';
import { type FormLabels, FormProblem } from '../../../parts/forms/form-problem.tsx';
import { LeaveGuard } from '../../../parts/forms/leave-guard.tsx';
import { useForm } from '../../../parts/forms/use-form.ts';
import { ActionChoice } from './action-choice.tsx';
import type { WebhookFields } from './draft.ts';
import { MessageFields } from './message-fields.tsx';
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
      <Stack maw={640}>
        {text('name', 'Name')}
        {text('url', 'URL', 'The address of the receiver, which begins with https:// or http://.')}
        <TypePicker form={form} />
        <ActionChoice form={form} />
        <PredicateField form={form} />
        <MessageFields form={form} />
        <FormProblem form={form} labels={labels} />
        <Group>
          <BusyButton isBusy={form.isSaving}>{action}</BusyButton>
        </Group>
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
