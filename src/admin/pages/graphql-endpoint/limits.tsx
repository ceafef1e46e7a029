/**
 * How much a GraphQL endpoint gives away at once, and whether of its schema.
 */
import { NumberInput, SimpleGrid, Switch } from '@mantine/core';
import type { Form } from '../../parts/use-form.ts';
import type { EndpointFields } from './endpoint-data.ts';

/** The limits of lists, and the switch for introspection. */
export function Limits({ form }: { form: Form<EndpointFields> }) {
  const { fields, change, errorOf } = form;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Default limit"
          description="How many assets a list has if it is not told."
          allowDecimal={false}
          value={fields.defaultLimit}
          onChange={(defaultLimit) => change({ defaultLimit })}
          error={errorOf('defaultLimit')}
        />
        <NumberInput
          label="Maximum limit"
          description="How many it can be told to have; 1,000 at most."
          allowDecimal={false}
          value={fields.maxLimit}
          onChange={(maxLimit) => change({ maxLimit })}
          error={errorOf('maxLimit')}
        />
      </SimpleGrid>
      <Switch
        label="Introspection"
        description="Callers can ask for the schema, as GraphQL tools do."
        checked={fields.introspection}
        onChange={(event) => change({ introspection: event.currentTarget.checked })}
      />
    </>
  );
}
