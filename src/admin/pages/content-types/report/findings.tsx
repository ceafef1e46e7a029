/**
 * The findings of one severity, in one table for each part of the report.
 */
import { Box, Code, Stack, Table, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Severity, TypesReport } from '../../../api.ts';
import { DataTable } from '../../../parts/layout/data-table.tsx';
import { ContentRows } from './content-rows.tsx';
import { MappingRows } from './mapping-rows.tsx';
import { WebhookRows } from './webhook-rows.tsx';

/** The tables; nothing without findings. Mappings, webhooks and stored assets are listed only if they break. */
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
  const types = report.types.filter((one) => one.severity === severity);
  const mappings = isBreaking ? report.mappings.broken : [];
  const webhooks = isBreaking ? report.webhooks.broken : [];
  const documents = report.documents.filter((one) => one.severity === severity);
  const content = isBreaking ? report.content.types.filter(({ rules }) => rules.length > 0) : [];
  if ([types, mappings, webhooks, documents, content].every(({ length }) => length === 0)) return null;
  return (
    <Box component="section" aria-label={title}>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      <Stack gap="md">
        <Part title="Types" within={title} columns={['Type', 'Field', 'Change']} rows={types}>
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
