/**
 * The GraphQL endpoints on the dashboard.
 */
import { Code, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { GraphqlEndpoint } from '../../api.ts';
import { graphqlEndpointList } from '../../parts/data/lists.ts';
import { accessNames } from '../../parts/endpoints/access-names.ts';
import { PublicWritesMark } from '../../parts/layout/mark.tsx';
import { NameLink, ResourceSection } from './resource-section.tsx';

/** Their table. */
export function GraphqlEndpoints() {
  return (
    <ResourceSection
      title="GraphQL endpoints"
      query={useQuery(graphqlEndpointList)}
      create={{ to: '/admin/graphql-endpoints/new', label: 'New GraphQL endpoint' }}
      empty={{
        title: 'No GraphQL endpoints yet',
        advice: 'An endpoint serves the content types you choose. Create one, then try it in the explorer.',
      }}
      columns={['Name', 'Path', 'Access', 'Types read', 'Types written']}
      toKey={({ id }) => id}
      toCells={toCells}
    />
  );
}

function toCells({ id, name, path, access, readTypes, writeTypes, warnings }: GraphqlEndpoint) {
  return [
    <NameLink key="name" to={`/admin/graphql-endpoints/${id}`} name={name} />,
    <Code key="path">/graphql/{path}</Code>,
    <Group key="access" gap="xs">
      {accessNames[access]}
      <PublicWritesMark warnings={warnings} />
    </Group>,
    toNumber(readTypes),
    toNumber(writeTypes),
  ];
}

function toNumber(types: readonly string[]): string {
  if (types.includes('*')) return 'All';
  return types.length === 0 ? 'None' : String(types.length);
}
