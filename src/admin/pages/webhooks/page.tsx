/**
 * The page that lists the webhooks with their states.
 */
import { Anchor, Button, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Webhook } from '../../api.ts';
import { useTypeNames } from '../../parts/data/type-names.ts';
import { DataTable } from '../../parts/layout/data-table.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { EmptyState, Page } from '../../parts/layout/page.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { describeState } from '../../parts/webhooks/webhook-state.ts';
import { webhookList } from './webhook-data.ts';
import { WebhookProblem } from './webhook-problem.tsx';
import { describeBacklog, describeSelection } from './webhook-words.ts';

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

const columns = ['Name', 'State', 'Last success', 'Backlog', 'Sends', 'Receiver'];

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const nameOf = useTypeNames();
  return (
    <DataTable label="Webhooks" columns={columns} minWidth={860}>
      {webhooks.map((webhook) => {
        const { id, name, url, where, lastSuccessAt } = webhook;
        const { label, color } = describeState(webhook);
        return (
          <Table.Tr key={id}>
            <Table.Td miw={120}>
              <Anchor
                component={Link}
                dir="auto"
                to={`/admin/webhooks/${id}`}
                size="sm"
                style={{ overflowWrap: 'anywhere' }}
              >
                {name}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <Mark color={color}>{label}</Mark>
            </Table.Td>
            <Table.Td>{lastSuccessAt === undefined ? 'None' : <Ago ms={lastSuccessAt} />}</Table.Td>
            <Table.Td>{describeBacklog(webhook)}</Table.Td>
            <Table.Td miw={160}>
              {describeSelection(webhook, nameOf)}
              {where !== undefined && <Text size="xs">with a predicate</Text>}
            </Table.Td>
            <Table.Td>
              <Text size="sm" maw={180} truncate title={url}>
                {url}
              </Text>
            </Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}
