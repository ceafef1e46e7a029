/**
 * The page that lists the webhooks with their states.
 */
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Webhook } from '../../api.ts';
import { useTypeNames } from '../../parts/data/lists.ts';
import { formatNumber } from '../../parts/data/number-words.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../parts/list/resource-list.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { describeState } from '../../parts/webhooks/webhook-state.ts';
import { describeBacklog, describeSelection, webhookList } from './webhook-data.ts';
import { WebhookProblem } from './webhook-problem.tsx';

/** @public Data that is read ahead, while the mouse rests on a link to the page. */
export const readAhead = () => [webhookList];

export default function Webhooks() {
  const query = useQuery(webhookList);
  const items = query.data?.items ?? [];
  return (
    <Page
      title="Webhooks"
      actions={
        <Button component={Link} to="/admin/webhooks/new">
          New webhook
        </Button>
      }
    >
      <div>
        <WebhookProblem
          error={query.error}
          title="The webhooks could not be loaded"
          onRetry={query.refetch}
        />
        {query.isPending && <Loading />}
        {query.data && items.length === 0 && (
          <EmptyState title="No webhooks yet">
            A webhook sends changes of content to a receiver, such as a search index.
          </EmptyState>
        )}
        {items.length > 0 && <WebhookTable webhooks={items} />}
      </div>
    </Page>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const nameOf = useTypeNames();
  const columns: ListColumn<Webhook>[] = [
    { id: 'name', head: 'Name', value: ({ name }) => name },
    { id: 'state', head: 'State', value: (webhook) => describeState(webhook).label, cell: State },
    {
      id: 'success',
      head: 'Last success',
      value: ({ lastSuccessAt }) => lastSuccessAt,
      cell: ({ lastSuccessAt }) => (lastSuccessAt === undefined ? 'None' : <Ago ms={lastSuccessAt} />),
    },
    {
      id: 'backlog',
      head: 'Backlog',
      isFigure: true,
      value: ({ behind }) => behind,
      cell: (webhook) => <span title={describeBacklog(webhook)}>{formatNumber(webhook.behind)}</span>,
    },
    {
      id: 'sends',
      head: 'Sends',
      cell: (webhook) => (
        <>
          {describeSelection(webhook, nameOf)}
          {webhook.where !== undefined && <Text size="xs">with a predicate</Text>}
        </>
      ),
    },
    {
      id: 'receiver',
      head: 'Receiver',
      value: ({ url }) => url,
      cell: ({ url }) => (
        <Text span display="block" size="sm" maw={180} truncate title={url}>
          {url}
        </Text>
      ),
    },
  ];
  return (
    <ResourceList
      label="Webhooks"
      columns={columns}
      rows={webhooks}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/admin/webhooks/${id}`}
    />
  );
}

function State(webhook: Webhook) {
  const { label, color } = describeState(webhook);
  return <Mark color={color}>{label}</Mark>;
}
