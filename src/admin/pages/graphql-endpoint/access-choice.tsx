/**
 * What a GraphQL endpoint asks of its callers.
 */
import { Radio, Stack } from '@mantine/core';
import { accessMeanings, accessNames } from '../../parts/access-names.ts';
import type { Form } from '../../parts/use-form.ts';
import type { EndpointFields } from './endpoint-data.ts';

const accesses = ['ANYONE', 'API_KEY', 'CLIENT_CREDENTIALS'] as const;

/** Radio buttons, each with what it means. */
export function AccessChoice({ form }: { form: Form<EndpointFields> }) {
  const { fields, change, errorOf } = form;
  return (
    <Radio.Group
      label="Access"
      value={fields.access}
      onChange={(access) => change({ access })}
      error={errorOf('access')}
    >
      <Stack gap="xs" my={4}>
        {accesses.map((access) => (
          <Radio
            key={access}
            value={access}
            label={accessNames[access]}
            description={accessMeanings[access]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
