/**
 * The findings of one severity, in one table for each part of the report.
 */
import { Anchor, Box, Code, Stack, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ReportedMapping, ReportedWebhook, Severity, TypeBreaks, TypesReport } from '../../../api.ts';
import { AssetName } from '../../../parts/assets/asset-name.tsx';
import { pathOfAsset } from '../../../parts/data/asset-titles.ts';
import { restEndpointList } from '../../../parts/data/lists.ts';
import { formatNumber } from '../../../parts/data/number-words.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';

/** The tables; nothing without findings. Mappings, trusted documents, webhooks and stored assets are listed only if they break. */
export function Findings({
  report,
  severity,
  title,
}: {
  report: TypesReport;
  severity: Severity;
  title: string;
}) {
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
        <Part title="Content types" within={title} columns={['Type', 'Field', 'Change']} rows={types}>
          {types.map(({ type, path = '', message }) => (
            <Row key={`${type} ${path} ${message}`} names={[type, path]} message={message} />
          ))}
        </Part>
        <Part
          title="Mappings"
          within={title}
          columns={['REST endpoint', 'Mapping', 'State', 'Place', 'Problem']}
          rows={mappings}
        >
          <MappingRows mappings={mappings} />
        </Part>
        <Part
          title="Mappings"
          within={title}
          columns={['REST endpoint', 'Mapping', 'Warning']}
          rows={warnings}
        >
          {warnings.map(({ restEndpoint = '', mapping = '', message }) => (
            <Row
              key={`${restEndpoint} ${mapping} ${message}`}
              names={[restEndpoint, mapping]}
              message={message}
            />
          ))}
        </Part>
        <Part
          title="Trusted documents"
          within={title}
          columns={['GraphQL endpoint', 'Document', 'Problem']}
          rows={trusted}
        >
          {trusted.flatMap(({ graphqlEndpoint, documentId, name = documentId, problems }) =>
            problems.map(({ line, column, message }) => (
              <Row
                key={`${graphqlEndpoint} ${documentId} ${line} ${column} ${message}`}
                names={[graphqlEndpoint, name]}
                message={`line ${line}, column ${column}: ${message}`}
              />
            )),
          )}
        </Part>
        <Part
          title="Webhooks"
          within={title}
          columns={['Webhook', 'Member', 'Place', 'Problem']}
          rows={webhooks}
        >
          <WebhookRows webhooks={webhooks} />
        </Part>
        <Part title="Documents" within={title} columns={['Document', 'Place', 'Change']} rows={documents}>
          {documents.map(({ document, place, message }) => (
            <Row key={`${document} ${place} ${message}`} names={[document, place]} message={message} />
          ))}
        </Part>
        <Part
          title="Stored content"
          within={title}
          columns={['Type', 'Field', 'Rule', 'Assets', 'Some of them']}
          rows={content}
        >
          <ContentRows types={content} />
        </Part>
        <Part
          title="Drafts"
          within={title}
          columns={['Type', 'Field', 'Rule', 'Drafts', 'Some of their assets']}
          rows={drafts}
        >
          <ContentRows types={drafts} />
        </Part>
      </Stack>
    </Box>
  );
}

/** A table under its heading; nothing without rows. */
function Part({
  title,
  within,
  columns,
  rows,
  children,
}: {
  title: string;
  within: string;
  columns: readonly string[];
  rows: readonly unknown[];
  children: ReactNode;
}) {
  if (rows.length === 0) return null;
  return (
    <div>
      <Title order={4} size="h6">
        {title}
      </Title>
      <DataTable label={`${within}: ${title.toLowerCase()}`} columns={columns} maxHeight={480}>
        {children}
      </DataTable>
    </div>
  );
}

function Row({ names, message }: { names: readonly [string, string]; message: string }) {
  const [owner, place] = names;
  return (
    <Table.Tr>
      <Table.Td>
        <Code>{owner}</Code>
      </Table.Td>
      <Table.Td>{place !== '' && <Code>{place}</Code>}</Table.Td>
      <Table.Td>{message}</Table.Td>
    </Table.Tr>
  );
}

/** A row for each rule, with links to the first assets that break it. */
function ContentRows({ types }: { types: readonly TypeBreaks[] }) {
  return types.flatMap(({ type, assets, rules }) =>
    rules.map(({ path, message, count, ids }) => (
      <Table.Tr key={`${type} ${path} ${message}`}>
        <Table.Td>
          <Code>{type}</Code>
        </Table.Td>
        <Table.Td>{path !== '' && <Code>{path}</Code>}</Table.Td>
        <Table.Td>{message}</Table.Td>
        <Table.Td>
          {formatNumber(count)} of {formatNumber(assets)}
        </Table.Td>
        <Table.Td>
          {ids.map((id, index) => (
            <Fragment key={id}>
              {index > 0 && ', '}
              <Anchor component={Link} to={pathOfAsset({ _id: id, _type: type })} size="sm">
                <AssetName id={id} />
              </Anchor>
            </Fragment>
          ))}
        </Table.Td>
      </Table.Tr>
    )),
  );
}

/** A row for each problem, with a link to the endpoint. */
function MappingRows({ mappings }: { mappings: readonly ReportedMapping[] }) {
  const { data } = useQuery(restEndpointList);
  // The published name of an endpoint may not be that of its draft.
  const findId = ({ restEndpoint, state }: ReportedMapping) =>
    data?.items.find(
      ({ draft, published }) => (state === 'draft' ? draft : published?.definition)?.name === restEndpoint,
    )?.id;
  return mappings.flatMap((broken) => {
    const { restEndpoint, mapping, state, problems } = broken;
    const id = findId(broken);
    return problems.map(({ line, column, message }) => (
      <Table.Tr key={`${restEndpoint} ${mapping} ${state} ${line} ${column} ${message}`}>
        <Table.Td>
          {id === undefined ? (
            restEndpoint
          ) : (
            <Anchor component={Link} to={`/admin/rest-endpoints/${id}`} size="sm">
              {restEndpoint}
            </Anchor>
          )}
        </Table.Td>
        <Table.Td>{mapping}</Table.Td>
        <Table.Td>{state}</Table.Td>
        <Table.Td>
          line {line}, column {column}
        </Table.Td>
        <Table.Td>{message}</Table.Td>
      </Table.Tr>
    ));
  });
}

/** A row for each problem, with a link to the webhook. */
function WebhookRows({ webhooks }: { webhooks: readonly ReportedWebhook[] }) {
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
