/**
 * The access rule of a GraphQL endpoint.
 */
import { Radio, Stack } from '@mantine/core';
import { accessMeanings, accessNames } from '../../parts/endpoints/access-names.ts';
import type { Form } from '../../parts/forms/use-form.ts';
import type { EndpointFields } from './endpoint-data.ts';

const accesses = ['ANYONE', 'API_KEY', 'CLIENT_CREDENTIALS'] as const;

/** Radio buttons, each with a description. */
export function AccessChoice({ form }: { form: Form<EndpointFields> }) {
  const { fields, change, errorOf } = form;
  return (
    <Radio.Group
      label="Access"
      value={fields.access}
      onChange={(access) => change({ access })}
      error={errorOf('access')}
      data-path="access"
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
