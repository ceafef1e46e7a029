/**
 * Which GraphQL endpoints an API client is held to.
 */
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { graphqlEndpointList } from '../../parts/lists.ts';
import type { Form } from '../../parts/use-form.ts';
import type { ClientFields } from './client-data.ts';

/** A choice of several; none means all. An endpoint that is no more shows as its ID. */
export function EndpointPicker({ form }: { form: Form<ClientFields> }) {
  const { fields, change, errorOf } = form;
  const { data } = useQuery(graphqlEndpointList);
  const isAdmin = fields.scopes.includes('admin');
  return (
    <MultiSelect
      label="GraphQL endpoints"
      description={
        isAdmin
          ? 'All of them: a client with the scope admin cannot be held to some.'
          : 'Those it may use, with the REST endpoints mapped onto them. Leave it empty for all.'
      }
      placeholder={fields.endpoints.length === 0 ? 'All endpoints' : ''}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={[...fields.endpoints]}
      onChange={(endpoints) => change({ endpoints })}
      disabled={isAdmin && fields.endpoints.length === 0}
      error={errorOf('endpoints')}
      searchable
      hidePickedOptions
      nothingFoundMessage="No other endpoint has this in its name"
    />
  );
}
