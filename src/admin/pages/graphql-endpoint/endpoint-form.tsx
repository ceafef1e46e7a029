/**
 * The form of a GraphQL endpoint: its name, path, types and access rule.
 */
import { NumberInput, Radio, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, type DryRun, type GraphqlEndpoint, type Tagged } from '../../api.ts';
import { LastRecordSave } from '../../parts/changes/last-save.tsx';
import { Warnings } from '../../parts/confirm/consequences.tsx';
import { typeList } from '../../parts/data/lists.ts';
import { CorsFields } from '../../parts/endpoints/cors-fields.tsx';
import { accessMeanings, accessNames } from '../../parts/endpoints/endpoint-state.tsx';
import { FormFrame } from '../../parts/forms/form-frame.tsx';
import type { FormLabels, FormOptions } from '../../parts/forms/form-options.ts';
import { type Form, useForm } from '../../parts/forms/use-form.ts';
import { Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { blankEndpoint, type EndpointFields, pathOf, toDefinition } from './endpoint-data.ts';
import { choosableTypes } from './type-choice.ts';
import { TypeTable } from './type-table.tsx';

/** The form of an endpoint. `reload` reads it again when another user has changed it. */
export function EndpointForm({
  seen,
  save,
  tryOut,
  reload,
}: Pick<FormOptions<GraphqlEndpoint, EndpointFields, never>, 'save' | 'reload'> & {
  /** Absent of a new endpoint. */
  seen?: Tagged<GraphqlEndpoint>;
  tryOut: (seen: Tagged<GraphqlEndpoint> | undefined, fields: EndpointFields) => Promise<DryRun | undefined>;
}) {
  const id = seen?.data.id ?? 'new';
  const form = useForm<GraphqlEndpoint, EndpointFields>({
    place: `graphql-endpoint ${id}`,
    labels,
    action: seen ? 'Save' : 'Create GraphQL endpoint',
    seen,
    blank: blankEndpoint,
    toFields: (endpoint) => endpoint,
    toBody: (fields) => ({ ...toDefinition(fields) }),
    save,
    tryOut: (wish) => tryOut(wish.seen, wish.fields),
    reload,
  });
  return (
    <FormFrame
      form={form}
      label="GraphQL endpoint"
      savedAt={seen?.data.updatedAt}
      lastSave={
        <LastRecordSave
          type="GraphqlEndpoint"
          read={() => answer(admin.getGraphqlEndpoint({ path: { id } }))}
        />
      }
    >
      <Warnings warnings={seen?.data.warnings ?? []} />
      <NameAndPath form={form} />
      <TypeChoices form={form} />
      <AccessChoice form={form} />
      <Limits form={form} />
      <CorsFields
        cors={form.fields.cors}
        onChange={(cors) => form.change({ cors })}
        error={form.errorOf('cors')}
      />
    </FormFrame>
  );
}

const labels: FormLabels<EndpointFields> = {
  name: 'Name',
  path: 'Path',
  readTypes: 'Types to read',
  writeTypes: 'Types to write',
  access: 'Access',
  defaultLimit: 'Default limit',
  maxLimit: 'Maximum limit',
  introspection: 'Introspection',
  trustedOnly: 'Trusted documents only',
  preview: 'Preview of releases',
  cors: 'Allowed origins',
};

const accesses = ['ANYONE', 'API_KEY', 'CLIENT_CREDENTIALS'] as const;

/** Radio buttons, each with a description. */
function AccessChoice({ form }: { form: Form<EndpointFields> }) {
  return (
    <Radio.Group label="Access" {...form.input('access')}>
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

/** The limits of lists, and the switches. */
function Limits({ form }: { form: Form<EndpointFields> }) {
  const { fields, change } = form;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Default limit"
          description="The number of assets in a list when the query gives no limit."
          allowDecimal={false}
          {...form.input('defaultLimit')}
        />
        <NumberInput
          label="Maximum limit"
          description="The largest limit that a query can give; at most 1,000."
          allowDecimal={false}
          {...form.input('maxLimit')}
        />
      </SimpleGrid>
      <Switch
        label="Introspection"
        description="Callers can ask for the schema, as GraphQL tools do."
        checked={fields.introspection}
        onChange={(event) => change({ introspection: event.currentTarget.checked })}
      />
      <Switch
        label="Trusted documents only"
        description="Callers can run only the documents that are stored for this endpoint. The explorer still runs others."
        checked={fields.trustedOnly}
        onChange={(event) => change({ trustedOnly: event.currentTarget.checked })}
      />
      <Switch
        label="Preview of releases"
        description="Callers with the scope cma:draft, or with a preview link, can read the drafts of a release."
        checked={fields.preview ?? false}
        onChange={(event) => change({ preview: event.currentTarget.checked })}
      />
    </>
  );
}

/** The two fields. */
function NameAndPath({ form }: { form: Form<EndpointFields> }) {
  const path = pathOf(form.fields);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput label="Name" required autoComplete="off" {...form.text('name')} />
      <TextInput
        label="Path"
        description={
          path === ''
            ? 'Letters, digits, - and _. Derived from the name if empty.'
            : `Served at /graphql/${path}`
        }
        autoComplete="off"
        {...form.text('path')}
        value={path}
      />
    </SimpleGrid>
  );
}

/** The table, once the types are known. */
function TypeChoices({ form }: { form: Form<EndpointFields> }) {
  const { readTypes, writeTypes } = form.fields;
  // What is no more stays to be seen after it was taken from the choice.
  const [named] = useState([...readTypes, ...writeTypes]);
  return (
    <Section title="Content types">
      <div data-path="readTypes writeTypes">
        <Loaded query={useQuery(typeList)} what="content types">
          {({ items }) => (
            <TypeTable
              types={choosableTypes(items, [...named, ...readTypes, ...writeTypes])}
              choice={form.fields}
              onChange={form.change}
              error={form.errorOf('readTypes') ?? form.errorOf('writeTypes')}
            />
          )}
        </Loaded>
      </div>
    </Section>
  );
}
