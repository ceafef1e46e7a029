/**
 * The REST endpoints, each with its busiest routes.
 */
import { Anchor, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { endpointOrders, endpointStates, restEndpointPage } from './endpoint-lists.ts';
import { EndpointRows } from './endpoint-rows.tsx';
import { ListSection } from './list-section.tsx';
import { TrafficNote, trafficColumns } from './traffic.tsx';
import { type ListState, useListState } from './use-list-state.ts';

const columns = ['Endpoint and routes', 'State', ...trafficColumns, 'Source'];

const stateLabels: Readonly<Record<(typeof endpointStates)[number], string>> = {
  published: 'Published',
  changed: 'Published, draft differs',
  draft: 'Draft',
  broken: 'Broken',
};

const orderLabels: Readonly<Record<(typeof endpointOrders)[number], string>> = {
  name: 'By name',
  requests: 'Most requests first',
  errors: 'Most errors first',
  medianMs: 'Slowest first',
};

/** Their table. */
export function RestEndpoints() {
  const list = useListState('rest');
  const { search, offset } = list;
  const state = list.choice('state', endpointStates);
  const sort = list.choice('sort', endpointOrders);
  return (
    <ListSection
      title="REST endpoints"
      query={useQuery(restEndpointPage({ search, offset, state, sort }))}
      list={list}
      create={{ to: '/admin/rest-endpoints/new', label: 'New REST endpoint' }}
      empty={{ title: 'No REST endpoints yet', advice: <Advice /> }}
      search="Name or path"
      controls={<Choices list={list} state={state} sort={sort} />}
      isFiltered={search !== '' || state !== undefined}
      columns={columns}
      minWidth={760}
      note={TrafficNote}
    >
      {(items) => items.map((endpoint) => <EndpointRows key={endpoint.id} endpoint={endpoint} />)}
    </ListSection>
  );
}

function Choices({
  list,
  state = '',
  sort = 'name',
}: {
  list: ListState;
  state?: string | undefined;
  sort?: string | undefined;
}) {
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="State of REST endpoints"
        value={state}
        data={[
          { value: '', label: 'In any state' },
          ...endpointStates.map((value) => ({ value, label: stateLabels[value] })),
        ]}
        onChange={(event) => list.change({ state: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        aria-label="Order of REST endpoints"
        value={sort}
        data={endpointOrders.map((value) => ({ value, label: orderLabels[value] }))}
        onChange={({ currentTarget: { value } }) => list.change({ sort: value === 'name' ? '' : value })}
      />
    </>
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
