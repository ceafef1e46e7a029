/**
 * The busiest routes of a REST endpoint, which its row unfolds to.
 */
import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { DashboardRestEndpoint } from '../../api.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { describeMedian } from './traffic.tsx';

/** The routes with their requests of the last hour, and how many further ones there are. */
export function Routes({ endpoint: { id, mappings, routes } }: { endpoint: DashboardRestEndpoint }) {
  const further = mappings - routes.length;
  return (
    <Stack gap={6}>
      {routes.map((route) => (
        <Group
          key={route.mapping}
          gap="xs"
          role="group"
          aria-label={`${route.methods.join(', ')} ${route.path}`}
        >
          <Text span size="xs" style={{ overflowWrap: 'anywhere' }}>
            {route.methods.join(', ')} <Code>{route.path}</Code>
          </Text>
          <Text span size="xs" c="dimmed">
            {countOf(route.requests, 'request')}
            {route.requests > 0 && `, ${countOf(route.errors, 'error')}, median ${describeMedian(route)}`}
          </Text>
          {route.isBroken && <Mark color="red">Broken</Mark>}
        </Group>
      ))}
      {further > 0 && (
        <Anchor component={Link} dir="auto" to={`/admin/rest-endpoints/${id}`} size="xs" underline="always">
          {countOf(further, 'further route')}
        </Anchor>
      )}
    </Stack>
  );
}
