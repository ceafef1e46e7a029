/**
 * The REST endpoints, the worst first: each with its requests of the last hour, and unfolding to its busiest routes.
 */
import { Anchor, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { DashboardRestEndpoint } from '../../api.ts';
import { countOf } from '../../parts/data/number-words.ts';
import { StateMarks } from '../../parts/endpoints/endpoint-state.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import type { RowAction } from '../../parts/list/action-menu.tsx';
import { type ListColumn, ResourceList, type ServerOrder } from '../../parts/list/resource-list.tsx';
import { endpointOrders, endpointStates, restEndpointPage } from './endpoint-lists.ts';
import {
  describeMedian,
  ListSection,
  type ListState,
  TrafficNote,
  trafficColumns,
  useListState,
} from './list-section.tsx';

const stateLabels: Readonly<Record<(typeof endpointStates)[number], string>> = {
  published: 'Published',
  changed: 'Published, draft differs',
  draft: 'Draft',
  broken: 'Broken',
};

/** Their list. */
export function RestEndpoints() {
  const list = useListState('rest');
  const { search, offset } = list;
  const state = list.choice('state', endpointStates);
  const sort = list.choice('sort', endpointOrders) ?? 'errors';
  return (
    <ListSection
      title="REST endpoints"
      query={useQuery(restEndpointPage({ search, offset, state, sort }))}
      list={list}
      create={{ to: '/admin/rest-endpoints/new', label: 'New REST endpoint' }}
      empty={{ title: 'No REST endpoints yet', advice: <Advice /> }}
      search="Name or path"
      controls={<StateChoice list={list} state={state} />}
      isFiltered={search !== '' || state !== undefined}
      note={TrafficNote}
    >
      {(items) => (
        <ResourceList
          label="REST endpoints"
          columns={columns}
          rows={items}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          hrefOf={({ id }) => `/admin/rest-endpoints/${id}`}
          menuOf={actionsOf}
          detail={{
            label: ({ name, routes }) => (routes.length > 0 ? `Routes of ${name}` : undefined),
            content: (endpoint) => <Routes endpoint={endpoint} />,
          }}
          order={orderOf(list, sort)}
        />
      )}
    </ListSection>
  );
}

/** Names go up, figures down; another click goes back to the worst first. */
function orderOf(list: ListState, sort: (typeof endpointOrders)[number]): ServerOrder {
  return {
    sort: sort === 'name' ? sort : `-${sort}`,
    onSort: (next) => list.change({ sort: next.endsWith(sort) ? '' : next }),
  };
}

const columns: readonly ListColumn<DashboardRestEndpoint>[] = [
  {
    id: 'name',
    head: 'Endpoint',
    value: ({ name }) => name,
    cell: ({ name, pathPrefix, routes, mappings }) => (
      <>
        {name} <Code>{pathPrefix}</Code>
        {routes.length === 0 && (
          <Text span size="xs" c="dimmed">
            {' '}
            {countOf(mappings, 'mapping')}, not published
          </Text>
        )}
      </>
    ),
  },
  { id: 'state', head: 'State', cell: (endpoint) => <StateMarks {...endpoint} /> },
  ...trafficColumns(true),
  { id: 'source', head: 'Source', cell: ({ source }) => source.name ?? 'Deleted' },
];

const actionsOf = ({ id, source }: DashboardRestEndpoint): readonly RowAction[] => [
  { label: 'Edit', to: `/admin/rest-endpoints/${id}` },
  { label: 'Versions', to: `/admin/rest-endpoints/${id}/versions` },
  ...(source.name === undefined
    ? []
    : [{ label: `Source: ${source.name}`, to: `/admin/graphql-endpoints/${source.id}` }]),
];

function StateChoice({ list, state = '' }: { list: ListState; state?: string | undefined }) {
  return (
    <NativeSelect
      size="sm"
      aria-label="State of REST endpoints"
      value={state}
      data={[
        { value: '', label: 'In any state' },
        ...endpointStates.map((value) => ({ value, label: stateLabels[value] })),
      ]}
      onChange={(event) => list.change({ state: event.currentTarget.value })}
    />
  );
}

function Advice() {
  return (
    <>
      A REST endpoint serves GraphQL operations as plain routes. Create one, or write an operation in the{' '}
      <Anchor component={Link} to="/admin/explorer" inherit underline="always">
        explorer
      </Anchor>{' '}
      and map it from there.
    </>
  );
}

/** The routes with their requests of the last hour, and how many further ones there are. */
function Routes({ endpoint: { id, mappings, routes } }: { endpoint: DashboardRestEndpoint }) {
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
