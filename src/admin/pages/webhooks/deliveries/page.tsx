/**
 * The page that lists the deliveries of a webhook. The URL holds the filters.
 */
import { Anchor, Button, Group, Select, Stack, Table, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useMemo, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { Webhook, WebhookDelivery } from '../../../api.ts';
import { AssetName } from '../../../parts/assets/asset-name.tsx';
import { TypeName } from '../../../parts/assets/type-name.tsx';
import { actionWords } from '../../../parts/changes/action-words.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';
import { Mark } from '../../../parts/layout/mark.tsx';
import { EmptyState, Page } from '../../../parts/layout/page.tsx';
import { ShowMore } from '../../../parts/layout/show-more.tsx';
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
  const filters = useMemo(() => fromParameters(parameters), [parameters]);
  const { name, state } = useQuery(webhookStatus(id)).data?.data ?? {};
  const query = useInfiniteQuery(deliveryList(id, filters));
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page
      title={name === undefined ? 'Deliveries' : `Deliveries to ${name}`}
      back={{ to: `/admin/webhooks/${id}`, label: name ?? 'Webhook' }}
      actions={
        <Button variant="default" size="xs" loading={query.isRefetching} onClick={() => query.refetch()}>
          Refresh
        </Button>
      }
    >
      <Stack gap="lg">
        <Filter
          key={String(parameters)}
          filters={filters}
          onFilter={(next) => setParameters(toParameters(next))}
        />
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
  filters,
  onFilter,
}: {
  filters: DeliveryFilters;
  onFilter: (filters: DeliveryFilters) => void;
}) {
  const [asset, setAsset] = useState(filters.asset ?? '');
  const apply = (state: DeliveryFilters['state']) => {
    const text = asset.trim();
    onFilter({ ...(state && { state }), ...(text !== '' && { asset: text }) });
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    apply(filters.state);
  };
  return (
    <form onSubmit={submit} aria-label="Filters">
      <Group align="end">
        <Select
          label="State"
          placeholder="All states"
          data={deliveryStates.map((value) => ({ value, label: stateWords[value].label }))}
          value={filters.state ?? null}
          onChange={(value) => apply(deliveryStates.find((deliveryState) => deliveryState === value))}
          clearable
        />
        <TextInput
          label="ID of the asset"
          value={asset}
          onChange={(event) => setAsset(event.currentTarget.value)}
          autoComplete="off"
        />
        <Button type="submit" variant="default">
          Apply
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button variant="subtle" onClick={() => onFilter({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}

const columns = ['Change', 'State', 'What', 'Attempts', 'Outcome', 'Last attempt'];

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
  return (
    <DataTable label="Deliveries" columns={isWaiting ? [...columns, 'Next attempt'] : columns} minWidth={860}>
      {deliveries.map((item) => {
        const { seq, asset, type, action, state, attempts, at, nextAttemptAt } = item;
        const { label, color } = stateWords[state];
        return (
          <Table.Tr key={seq}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <Anchor component={Link} to={`/admin/webhooks/${id}/deliveries/${seq}`} size="sm">
                Change {seq}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <Mark color={color}>{label}</Mark>
            </Table.Td>
            <Table.Td miw={200}>
              {actionWords[action]} <TypeName className={type} /> <AssetName id={asset} />
            </Table.Td>
            <Table.Td>{attempts}</Table.Td>
            <Table.Td>{describeOutcome(item)}</Table.Td>
            <Table.Td>
              <Ago ms={at} />
            </Table.Td>
            {isWaiting && (
              <Table.Td>
                {nextAttemptAt !== undefined && (
                  <NextAttempt at={nextAttemptAt} state={webhookState}>
                    <Ago ms={nextAttemptAt} />
                  </NextAttempt>
                )}
              </Table.Td>
            )}
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}
