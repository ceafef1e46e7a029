/**
 * The REST endpoints that run on a GraphQL endpoint, which keep it from being deleted.
 */
import { Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RestEndpoint } from '../../api.ts';
import { restEndpointList } from '../../parts/lists.ts';
import { Loaded } from '../../parts/loaded.tsx';

/** Their names, which lead to them. */
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
      {endpoints.map(({ id, draft }) => (
        <List.Item key={id}>
          <Anchor component={Link} to={`/admin/rest-endpoints/${id}`} inherit underline="always">
            {draft.name}
          </Anchor>
        </List.Item>
      ))}
    </List>
  );
}

function runsOn({ draft, published }: RestEndpoint, id: string): boolean {
  return draft.source === id || published?.definition.source === id;
}
