/**
 * What a webhook sends for a change.
 */
import { Radio, Stack } from '@mantine/core';
import type { Form } from '../../../parts/forms/use-form.ts';
import type { WebhookFields } from './draft.ts';

/** The choice of the payload. */
export function MessageFields({ form: { fields, change, errorOf } }: { form: Form<WebhookFields> }) {
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
