/**
 * The report on a change of content types: how much breaks first, then the findings, the worst first, and for whom.
 */
import { Alert, Anchor, Box, Code, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { TypeBreaks, TypesReport } from '../../../api.ts';
import { apiClientList } from '../../../parts/data/lists.ts';
import { countOf, formatNumber } from '../../../parts/data/number-words.ts';
import { EmptyState, Section } from '../../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';
import { Findings } from './findings.tsx';

const severities = [
  { severity: 'breaking', title: 'Breaking' },
  { severity: 'attention', title: 'Needs attention' },
  { severity: 'safe', title: 'Safe' },
] as const;

/** The report; `isOutdated` when the files have changed since. */
export function Report({ report, isOutdated }: { report: TypesReport; isOutdated: boolean }) {
  const { counts, clients } = report;
  const isEmpty = counts.breaking + counts.attention + counts.safe === 0;
  return (
    <Section title="Report">
      <Stack gap="lg">
        {isOutdated && (
          <Alert color="orange" variant="light" title="The files have changed since this check">
            Check again to see what they break now.
          </Alert>
        )}
        <Summary report={report} />
        {isEmpty && (
          <EmptyState title="No findings">
            These content types do not differ from those of the installation.
          </EmptyState>
        )}
        {severities.map(({ severity, title }) => (
          <Findings key={severity} report={report} severity={severity} title={title} />
        ))}
        {clients.items.length > 0 && <ClientTable clients={clients} />}
      </Stack>
    </Section>
  );
}

function Summary({ report }: { report: TypesReport }) {
  const { counts, types, mappings, trustedDocuments, webhooks, documents, content } = report;
  const sumOf = (all: TypeBreaks[]) => all.reduce((sum, { assets }) => sum + assets, 0);
  const unlisted =
    counts.breaking +
    counts.attention +
    counts.safe -
    types.length -
    documents.length -
    mappings.warnings.length -
    [...mappings.broken, ...trustedDocuments.broken, ...webhooks.broken].reduce(
      (sum, { problems }) => sum + problems.length,
      0,
    ) -
    [...content.types, ...content.drafts].reduce((sum, { rules }) => sum + rules.length, 0);
  return (
    <Stack gap={4} role="status">
      <Text fw={600}>
        {counts.breaking} breaking, {counts.attention} need attention, {counts.safe} safe
      </Text>
      <Text size="sm">
        Checked {countOf(mappings.checked, 'mapping')},{' '}
        {countOf(trustedDocuments.checked, 'trusted document')}, {countOf(webhooks.checked, 'webhook')},{' '}
        {countOf(sumOf(content.types), 'stored asset')} and {countOf(sumOf(content.drafts), 'draft')}
        {!content.isComplete && ', not all of those there are'}.
      </Text>
      {mappings.brokenBefore > 0 && (
        <Text size="sm">{mappings.brokenBefore} mappings are broken already, before this change.</Text>
      )}
      {trustedDocuments.brokenBefore > 0 && (
        <Text size="sm">
          {trustedDocuments.brokenBefore} trusted documents are broken already, before this change.
        </Text>
      )}
      {webhooks.brokenBefore > 0 && (
        <Text size="sm">{webhooks.brokenBefore} webhooks are broken already, before this change.</Text>
      )}
      {unlisted > 0 && <Text size="sm">{unlisted} findings are not listed: each part lists its worst.</Text>}
    </Stack>
  );
}

type ReportedCall = TypesReport['clients']['items'][number];

const columns: readonly ListColumn<ReportedCall>[] = [
  { id: 'type', head: 'Type', cell: ({ type }) => type !== undefined && <Code>{type}</Code> },
  {
    id: 'client',
    head: 'Client',
    cell: ({ clientId }) => (clientId === undefined ? 'none' : <ClientName id={clientId} />),
  },
  { id: 'method', head: 'Method', cell: ({ method }) => method },
  { id: 'route', head: 'Route', cell: ({ route }) => <Code>{route}</Code> },
  { id: 'requests', head: 'Requests', isFigure: true, cell: ({ requests }) => formatNumber(requests) },
  {
    id: 'affected',
    head: 'Affected',
    cell: ({ use }) => (use === 'broken' ? 'all calls' : 'calls that use what changes'),
  },
];

const idOfCall = ({ type, clientId, method, route }: ReportedCall) =>
  `${type} ${clientId} ${method} ${route}`;

/** The list, with links to the clients that are still there. */
function ClientTable({ clients: { days, count, items } }: { clients: TypesReport['clients'] }) {
  const title = `API clients that called what breaks in the last ${days} days`;
  return (
    <Box component="section" aria-label={title}>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      <ResourceList
        label="API clients"
        columns={columns}
        rows={items}
        isWhole={false}
        idOf={idOfCall}
        nameOf={idOfCall}
        maxHeight={480}
      />
      {count > items.length && (
        <Text size="sm">
          These are the first {formatNumber(items.length)} of {formatNumber(count)}.
        </Text>
      )}
    </Box>
  );
}

function ClientName({ id }: { id: string }) {
  const client = useQuery(apiClientList).data?.items.find(({ clientId }) => clientId === id);
  if (!client) return id;
  return (
    <Anchor component={Link} to={`/admin/api-clients/${encodeURIComponent(id)}`} size="sm">
      {client.name}
    </Anchor>
  );
}
