/**
 * The name of a GraphQL endpoint, and its path, which is derived from the name until the user sets one.
 */
import { TextInput } from '@mantine/core';
import type { Form } from '../../parts/forms/use-form.ts';
import { type EndpointFields, pathOf } from './endpoint-data.ts';

/** The two fields. */
export function NameAndPath({ form }: { form: Form<EndpointFields> }) {
  const { fields, change, errorOf } = form;
  const path = pathOf(fields);
  return (
    <>
      <TextInput
        label="Name"
        required
        autoComplete="off"
        value={fields.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={errorOf('name')}
        data-path="name"
      />
      <TextInput
        label="Path"
        description={
          path === ''
            ? 'Letters, digits, - and _. Derived from the name if empty.'
            : `Served at /graphql/${path}`
        }
        autoComplete="off"
        value={path}
        onChange={(event) => change({ path: event.currentTarget.value })}
        error={errorOf('path')}
        data-path="path"
      />
    </>
  );
}
