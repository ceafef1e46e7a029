/**
 * The REST endpoints on the dashboard, by their drafts.
 */
import { Anchor, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RestEndpoint } from '../../api.ts';
import { graphqlEndpointList, restEndpointList } from '../../parts/data/lists.ts';
import { EndpointState } from '../../parts/endpoints/endpoint-state.tsx';
import { NameLink, ResourceSection } from './resource-section.tsx';

/** Their table. */
export function RestEndpoints() {
  const sources = useQuery(graphqlEndpointList).data?.items ?? [];
  const sourceName = (id: string) => sources.find((source) => source.id === id)?.name ?? id;
  return (
    <ResourceSection
      title="REST endpoints"
      query={useQuery(restEndpointList)}
      create={{ to: '/admin/rest-endpoints/new', label: 'New REST endpoint' }}
      empty={{
        title: 'No REST endpoints yet',
        advice: (
          <>
            A REST endpoint serves GraphQL operations as plain routes. Create one, or write an operation in
            the{' '}
            <Anchor component={Link} to="/admin/explorer" inherit underline="always">
              explorer
            </Anchor>{' '}
            and map it from there.
          </>
        ),
      }}
      columns={['Name', 'Path prefix', 'Source', 'Mappings', 'State']}
      toKey={({ id }) => id}
      toCells={(endpoint) => toCells(endpoint, sourceName(endpoint.draft.source))}
    />
  );
}

function toCells(endpoint: RestEndpoint, sourceName: string) {
  const { id, draft } = endpoint;
  const { name, pathPrefix, source, mappings } = draft;
  return [
    <NameLink key="name" to={`/admin/rest-endpoints/${id}`} name={name} />,
    <Code key="prefix">{pathPrefix}</Code>,
    <Anchor key="source" component={Link} to={`/admin/graphql-endpoints/${source}`} size="sm">
      {sourceName}
    </Anchor>,
    mappings.length,
    <EndpointState key="state" endpoint={endpoint} />,
  ];
}
