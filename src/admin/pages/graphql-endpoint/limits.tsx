/**
 * The list limits and the introspection setting of a GraphQL endpoint.
 */
import { NumberInput, SimpleGrid, Switch } from '@mantine/core';
import type { Form } from '../../parts/forms/use-form.ts';
import type { EndpointFields } from './endpoint-data.ts';

/** The limits of lists, and the switch for introspection. */
export function Limits({ form }: { form: Form<EndpointFields> }) {
  const { fields, change, errorOf } = form;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Default limit"
          description="The number of assets in a list when the query gives no limit."
          allowDecimal={false}
          value={fields.defaultLimit}
          onChange={(defaultLimit) => change({ defaultLimit })}
          error={errorOf('defaultLimit')}
          data-path="defaultLimit"
        />
        <NumberInput
          label="Maximum limit"
          description="The largest limit that a query can give; at most 1,000."
          allowDecimal={false}
          value={fields.maxLimit}
          onChange={(maxLimit) => change({ maxLimit })}
          error={errorOf('maxLimit')}
          data-path="maxLimit"
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
