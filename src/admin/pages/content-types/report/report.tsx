/**
 * The report on a change of content types: how much breaks first, then the findings, the worst first, and for whom.
 */
import { Alert, Anchor, Box, Code, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ReportedMapping, Severity, TypeBreaks, TypesReport } from '../../../api.ts';
import { AssetName } from '../../../parts/assets/asset-name.tsx';
import { apiClientList, restEndpointList } from '../../../parts/data/lists.ts';
import { pathOfAsset } from '../../../parts/data/load-titles.ts';
import { countOf, formatNumber } from '../../../parts/data/number-words.ts';
import { EmptyState, Section } from '../../../parts/layout/page.tsx';
import { type ListColumn, ResourceList } from '../../../parts/list/resource-list.tsx';

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

/** The lists; nothing without findings. Mappings, trusted documents, webhooks and stored assets are listed only if they break. */
function Findings({ report, severity, title }: { report: TypesReport; severity: Severity; title: string }) {
  const isBreaking = severity === 'breaking';
  const types = report.types.filter((type) => type.severity === severity);
  const mappings = isBreaking ? report.mappings.broken : [];
  const warnings = severity === 'attention' ? report.mappings.warnings : [];
  const trusted = isBreaking ? report.trustedDocuments.broken : [];
  const webhooks = isBreaking ? report.webhooks.broken : [];
  const documents = report.documents.filter((document) => document.severity === severity);
  const listBroken = (all: TypeBreaks[]) => (isBreaking ? all.filter(({ rules }) => rules.length > 0) : []);
  const content = listBroken(report.content.types);
  const drafts = listBroken(report.content.drafts);
  if (
    [types, mappings, warnings, trusted, webhooks, documents, content, drafts].every(
      ({ length }) => length === 0,
    )
  )
    return null;
  return (
    <Box component="section" aria-label={title}>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      <Stack gap="md">
        <Part
          title="Content types"
          within={title}
          heads={['Type', 'Field', 'Change']}
          rows={types.map(({ type, path = '', message }) => [toCode(type), toCode(path), message])}
        />
        <Part
          title="Mappings"
          within={title}
          heads={['REST endpoint', 'Mapping', 'State', 'Place', 'Problem']}
          rows={mappings.flatMap((broken) =>
            broken.problems.map(({ line, column, message }) => [
              <EndpointName key="name" broken={broken} />,
              broken.mapping,
              broken.state,
              toPlace(line, column),
              message,
            ]),
          )}
        />
        <Part
          title="Mappings"
          within={title}
          heads={['REST endpoint', 'Mapping', 'Warning']}
          rows={warnings.map(({ restEndpoint = '', mapping = '', message }) => [
            toCode(restEndpoint),
            toCode(mapping),
            message,
          ])}
        />
        <Part
          title="Trusted documents"
          within={title}
          heads={['GraphQL endpoint', 'Document', 'Problem']}
          rows={trusted.flatMap(({ graphqlEndpoint, documentId, name = documentId, problems }) =>
            problems.map(({ line, column, message }) => [
              toCode(graphqlEndpoint),
              toCode(name),
              `${toPlace(line, column)}: ${message}`,
            ]),
          )}
        />
        <Part
          title="Webhooks"
          within={title}
          heads={['Webhook', 'Member', 'Place', 'Problem']}
          rows={webhooks.flatMap(({ id, webhook, problems }) =>
            problems.map(({ path, line, column, message }) => [
              <Anchor key="webhook" component={Link} to={`/admin/webhooks/${id}`} size="sm">
                {webhook}
              </Anchor>,
              toCode(path),
              line !== undefined && toPlace(line, column),
              message,
            ]),
          )}
        />
        <Part
          title="Documents"
          within={title}
          heads={['Document', 'Place', 'Change']}
          rows={documents.map(({ document, place, message }) => [toCode(document), toCode(place), message])}
        />
        <Part
          title="Stored content"
          within={title}
          heads={['Type', 'Field', 'Rule', 'Assets', 'Some of them']}
          rows={content.flatMap(toContentRows)}
        />
        <Part
          title="Drafts"
          within={title}
          heads={['Type', 'Field', 'Rule', 'Drafts', 'Some of their assets']}
          rows={drafts.flatMap(toContentRows)}
        />
      </Stack>
    </Box>
  );
}

const toCode = (text: string) => text !== '' && <Code>{text}</Code>;

const toPlace = (line: number | undefined, column: number | undefined) => `line ${line}, column ${column}`;

interface ReportRow {
  readonly index: number;
  readonly cells: readonly ReactNode[];
}

/** A list under its heading, whose rows are cells in the order of the heads; nothing without rows. */
function Part({
  title,
  within,
  heads,
  rows,
}: {
  title: string;
  within: string;
  heads: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}) {
  if (rows.length === 0) return null;
  const idOf = ({ index }: ReportRow) => String(index);
  return (
    <div>
      <Title order={4} size="h6">
        {title}
      </Title>
      <ResourceList
        label={`${within}: ${title.toLowerCase()}`}
        columns={heads.map((head, column) => ({
          id: head,
          head,
          cell: ({ cells }: ReportRow) => cells[column],
        }))}
        rows={rows.map((cells, index) => ({ cells, index }))}
        isWhole={false}
        idOf={idOf}
        nameOf={idOf}
        maxHeight={480}
      />
    </div>
  );
}

/** A row for each rule, with links to the first assets that break it. */
const toContentRows = ({ type, assets, rules }: TypeBreaks): ReactNode[][] =>
  rules.map(({ path, message, count, ids }) => [
    toCode(type),
    toCode(path),
    message,
    `${formatNumber(count)} of ${formatNumber(assets)}`,
    ids.map((id, index) => (
      <Fragment key={id}>
        {index > 0 && ', '}
        <Anchor component={Link} to={pathOfAsset({ _id: id, _type: type })} size="sm">
          <AssetName id={id} />
        </Anchor>
      </Fragment>
    )),
  ]);

/** The name of the endpoint of a broken mapping, as a link to its page. */
function EndpointName({ broken: { restEndpoint, state } }: { broken: ReportedMapping }) {
  // The published name of an endpoint may not be that of its draft.
  const id = useQuery(restEndpointList).data?.items.find(
    ({ draft, published }) => (state === 'draft' ? draft : published?.definition)?.name === restEndpoint,
  )?.id;
  if (id === undefined) return restEndpoint;
  return (
    <Anchor component={Link} to={`/admin/rest-endpoints/${id}`} size="sm">
      {restEndpoint}
    </Anchor>
  );
}
