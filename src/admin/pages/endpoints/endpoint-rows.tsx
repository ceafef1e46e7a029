/**
 * A REST endpoint in the table: a row for it, and one for each of its busiest routes.
 */
import { Anchor, Code, Group, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { DashboardRestEndpoint } from '../../api.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { StateMarks } from '../../parts/endpoints/endpoint-state.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { NameLink } from './list-section.tsx';
import { TrafficCells, trafficColumns } from './traffic.tsx';

/** The rows. */
export function EndpointRows({ endpoint }: { endpoint: DashboardRestEndpoint }) {
  const { id, name, pathPrefix, source, state, broken, hasPublicWrites, mappings, routes } = endpoint;
  const path = `/admin/rest-endpoints/${id}`;
  const further = mappings - routes.length;
  return (
    <>
      <Table.Tr>
        <Table.Td miw={200}>
          <Group gap="xs">
            <NameLink to={path} name={name} />
            <Code>{pathPrefix}</Code>
            {routes.length === 0 && (
              <Text size="xs" c="dimmed">
                {countOf(mappings, 'mapping')}, not published
              </Text>
            )}
          </Group>
        </Table.Td>
        <Table.Td>
          <StateMarks state={state} broken={broken} hasPublicWrites={hasPublicWrites} />
        </Table.Td>
        <TrafficCells traffic={endpoint} />
        <Table.Td>
          {source.name === undefined ? (
            'Deleted'
          ) : (
            <Anchor component={Link} dir="auto" to={`/admin/graphql-endpoints/${source.id}`} size="sm">
              {source.name}
            </Anchor>
          )}
        </Table.Td>
      </Table.Tr>
      {routes.map((route) => (
        <Table.Tr key={route.mapping}>
          <Table.Td pl="xl" miw={200}>
            <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
              {route.methods.join(', ')} <Code>{route.path}</Code>
            </Text>
          </Table.Td>
          <Table.Td>{route.isBroken && <Mark color="red">Broken</Mark>}</Table.Td>
          <TrafficCells traffic={route} />
          <Table.Td />
        </Table.Tr>
      ))}
      {routes.length > 0 && further > 0 && (
        <Table.Tr>
          <Table.Td pl="xl" colSpan={trafficColumns.length + 3}>
            <Anchor component={Link} dir="auto" to={path} size="xs" underline="always">
              {countOf(further, 'further route')}
            </Anchor>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
