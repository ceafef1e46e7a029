/**
 * The REST endpoints that use a GraphQL endpoint. It cannot be deleted while there are any.
 */
import { Anchor, Group, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RestEndpoint } from '../../api.ts';
import { restEndpointList } from '../../parts/data/lists.ts';
import { EndpointState } from '../../parts/endpoints/endpoint-state.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';

/** Their names as links. */
export function MappedEndpoints({ id }: { id: string }) {
  return (
    <Loaded query={useQuery(restEndpointList)} what="REST endpoints">
      {({ items }) => <Names endpoints={items.filter((endpoint) => runsOn(endpoint, id))} />}
    </Loaded>
  );
}

function Names({ endpoints }: { endpoints: readonly RestEndpoint[] }) {
  if (endpoints.length === 0) return <Text size="sm">None.</Text>;
  return (
    <List size="sm">
      {endpoints.map((endpoint) => (
        <List.Item key={endpoint.id}>
          <Group gap="xs">
            <Anchor component={Link} to={`/admin/rest-endpoints/${endpoint.id}`} inherit underline="always">
              {endpoint.draft.name}
            </Anchor>
            <EndpointState endpoint={endpoint} />
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

function runsOn({ draft, published }: RestEndpoint, id: string): boolean {
  return draft.source === id || published?.definition.source === id;
}
