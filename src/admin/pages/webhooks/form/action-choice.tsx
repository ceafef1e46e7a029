/**
 * Which actions a webhook sends.
 */
import { Checkbox, Group } from '@mantine/core';
import { actionWords } from '../../../parts/changes/action-words.ts';
import type { Form } from '../../../parts/forms/use-form.ts';
import { blankWebhook, type WebhookFields } from './draft.ts';

/** A check box for each action. */
export function ActionChoice({ form: { fields, change, errorOf } }: { form: Form<WebhookFields> }) {
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
      <Group mt="xs">
        {blankWebhook.actions.map((action) => (
          <Checkbox key={action} value={action} label={actionWords[action]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
