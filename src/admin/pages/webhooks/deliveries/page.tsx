/**
 * The page that lists the deliveries of a webhook. The URL holds the filters.
 */
import { Button, Group, Select, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { Webhook, WebhookDelivery } from '../../../api.ts';
import { AssetName, TypeName } from '../../../parts/assets/asset-name.tsx';
import { actionWords } from '../../../parts/changes/actor-name.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { PageTabs } from '../../../parts/layout/page-tabs.tsx';
import { ShowMore } from '../../../parts/layout/paging.tsx';
import { ListSearch } from '../../../parts/list/list-search.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { Ago } from '../../../parts/time/ago.tsx';
import { NextAttempt } from '../next-attempt.tsx';
import { webhookStatus } from '../webhook-data.ts';
import { WebhookProblem } from '../webhook-problem.tsx';
import {
  type DeliveryFilters,
  deliveryList,
  deliveryStates,
  fromParameters,
  toParameters,
} from './delivery-data.ts';
import { describeOutcome, stateWords } from './delivery-words.ts';

/** The page at `/admin/webhooks/:id/deliveries`. */
export default function Deliveries() {
  const { id = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const path = `/admin/webhooks/${id}`;
  const filters = useMemo(() => fromParameters(parameters), [parameters]);
  const { name, state } = useQuery(webhookStatus(id)).data?.data ?? {};
  const query = useInfiniteQuery(deliveryList(id, filters));
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      title={name === undefined ? 'Deliveries' : `Deliveries to ${name}`}
      back={{ to: '/admin/webhooks', label: 'Webhooks' }}
      actions={
        <Button variant="default" size="xs" loading={query.isRefetching} onClick={() => query.refetch()}>
          Refresh
        </Button>
      }
    >
      <PageTabs
        label="Webhook"
        tabs={[
          { label: 'Health', to: path },
          { label: 'Definition', to: `${path}?tab=definition` },
          { label: 'Deliveries', to: `${path}/deliveries` },
          { label: 'Replay', to: `${path}?tab=replay` },
        ]}
      />
      <Stack gap="md">
        <Filter filters={filters} onFilter={(next) => setParameters(toParameters(next), { replace: true })} />
        <div>
          <WebhookProblem
            error={query.error}
            title="The deliveries could not be loaded"
            onRetry={query.refetch}
          />
          {query.isPending && <Loading />}
          {query.data && items.length === 0 && !query.hasNextPage && (
            <EmptyState title="No deliveries">
              {parameters.size > 0
                ? 'Change the filters, or clear them to see all.'
                : 'What the webhook sends appears here, for 14 days.'}
            </EmptyState>
          )}
          {items.length > 0 && <DeliveryTable id={id} webhookState={state} deliveries={items} />}
          <ShowMore query={query}>Show older deliveries</ShowMore>
        </div>
      </Stack>
    </Page>
  );
}

function Filter({
  filters: { state, asset = '' },
  onFilter,
}: {
  filters: DeliveryFilters;
  onFilter: (filters: DeliveryFilters) => void;
}) {
  const set = (next: { state: string | null | undefined; asset: string }) => {
    const known = deliveryStates.find((deliveryState) => deliveryState === next.state);
    onFilter({ ...(known && { state: known }), ...(next.asset !== '' && { asset: next.asset }) });
  };
  return (
    <Group role="search" aria-label="Filters" gap="xs">
      <ListSearch
        label="ID of the asset"
        placeholder="ID of the asset"
        search={asset}
        onSearch={(text) => set({ state, asset: text })}
      />
      <Select
        aria-label="State"
        placeholder="All states"
        data={deliveryStates.map((value) => ({ value, label: stateWords[value].label }))}
        value={state ?? null}
        onChange={(value) => set({ state: value, asset })}
        clearable
      />
      {(state || asset) && (
        <Button variant="subtle" onClick={() => onFilter({})}>
          Clear
        </Button>
      )}
    </Group>
  );
}

function DeliveryTable({
  id,
  webhookState,
  deliveries,
}: {
  id: string;
  webhookState: Webhook['state'] | undefined;
  deliveries: readonly WebhookDelivery[];
}) {
  const isWaiting = deliveries.some(({ nextAttemptAt }) => nextAttemptAt !== undefined);
  const next: ListColumn<WebhookDelivery> = {
    id: 'next',
    head: 'Next attempt',
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt !== undefined && (
        <NextAttempt at={nextAttemptAt} state={webhookState}>
          <Ago ms={nextAttemptAt} />
        </NextAttempt>
      ),
  };
  return (
    <ResourceList
      label="Deliveries"
      columns={isWaiting ? [...columns, next] : columns}
      rows={deliveries}
      isWhole={false}
      idOf={({ seq }) => String(seq)}
      nameOf={({ seq }) => `Change ${seq}`}
      hrefOf={({ seq }) => `/admin/webhooks/${id}/deliveries/${seq}`}
    />
  );
}

const columns: readonly ListColumn<WebhookDelivery>[] = [
  { id: 'change', head: 'Change', cell: ({ seq }) => `Change ${seq}` },
  {
    id: 'state',
    head: 'State',
    cell: ({ state }) => <Mark color={stateWords[state].color}>{stateWords[state].label}</Mark>,
  },
  {
    id: 'what',
    head: 'What',
    cell: ({ action, type, asset }) => (
      <>
        {actionWords[action]} <TypeName className={type} /> <AssetName id={asset} />
      </>
    ),
  },
  { id: 'attempts', head: 'Attempts', isFigure: true, cell: ({ attempts }) => attempts },
  { id: 'outcome', head: 'Outcome', cell: describeOutcome },
  { id: 'last', head: 'Last attempt', cell: ({ at }) => <Ago ms={at} /> },
];
