/**
 * Restricts an API client to some GraphQL endpoints.
 */
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import type { Form } from '../../parts/forms/use-form.ts';
import type { ClientFields } from './client-data.ts';

/** A multiple choice; an empty choice means all. A deleted endpoint is shown by its ID. */
export function EndpointPicker({ form }: { form: Form<ClientFields> }) {
  const { fields, change, errorOf } = form;
  const { data } = useQuery(graphqlEndpointList);
  const isAdmin = fields.scopes.includes('admin');
  return (
    <MultiSelect
      label="GraphQL endpoints"
      description={
        isAdmin
          ? 'A client with the scope admin cannot be restricted.'
          : 'The endpoints it may use, including the REST endpoints mapped onto them. Leave empty for all.'
      }
      placeholder={fields.endpoints.length === 0 ? 'All endpoints' : ''}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={[...fields.endpoints]}
      onChange={(endpoints) => change({ endpoints })}
      disabled={isAdmin && fields.endpoints.length === 0}
      error={errorOf('endpoints')}
      data-path="endpoints"
      searchable
      hidePickedOptions
      nothingFoundMessage="No other endpoint matches"
    />
  );
}
