/**
 * The findings of one severity, in one list for each part of the report.
 */
import { Anchor, Box, Code, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ReportedMapping, Severity, TypeBreaks, TypesReport } from '../../../api.ts';
import { AssetName } from '../../../parts/assets/asset-name.tsx';
import { restEndpointList } from '../../../parts/data/lists.ts';
import { pathOfAsset } from '../../../parts/data/load-titles.ts';
import { formatNumber } from '../../../parts/data/number-words.ts';
import { ResourceList } from '../../../parts/list/resource-list.tsx';

/** The lists; nothing without findings. Mappings, trusted documents, webhooks and stored assets are listed only if they break. */
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
