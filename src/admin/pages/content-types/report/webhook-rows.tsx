/**
 * The webhooks that a change of content types breaks, each problem with its place in the predicate.
 */
import { Anchor, Code, Table } from '@mantine/core';
import { Link } from 'react-router';
import type { ReportedWebhook } from '../../../api.ts';

/** A row for each problem, with a link to the webhook. */
export function WebhookRows({ webhooks }: { webhooks: readonly ReportedWebhook[] }) {
  return webhooks.flatMap(({ id, webhook, problems }) =>
    problems.map(({ path, line, column, message }) => (
      <Table.Tr key={`${id} ${path} ${line} ${column} ${message}`}>
        <Table.Td>
          <Anchor component={Link} to={`/admin/webhooks/${id}`} size="sm">
            {webhook}
          </Anchor>
        </Table.Td>
        <Table.Td>
          <Code>{path}</Code>
        </Table.Td>
        <Table.Td>{line !== undefined && `line ${line}, column ${column}`}</Table.Td>
        <Table.Td>{message}</Table.Td>
      </Table.Tr>
    )),
  );
}
