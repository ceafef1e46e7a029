/**
 * The report on a change of content types: how much breaks first, then the findings, the worst first, and for whom.
 */
import { Alert, Stack, Text } from '@mantine/core';
import type { TypesReport } from '../../../api.ts';
import { EmptyState, Section } from '../../../parts/layout/page.tsx';
import { ClientTable } from './client-table.tsx';
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
  const { counts, types, mappings, webhooks, documents, content } = report;
  const assets = content.types.reduce((sum, type) => sum + type.assets, 0);
  const unlisted =
    counts.breaking +
    counts.attention +
    counts.safe -
    types.length -
    documents.length -
    [...mappings.broken, ...webhooks.broken].reduce((sum, { problems }) => sum + problems.length, 0) -
    content.types.reduce((sum, { rules }) => sum + rules.length, 0);
  return (
    <Stack gap={4} role="status">
      <Text fw={600}>
        {counts.breaking} breaking, {counts.attention} need attention, {counts.safe} safe
      </Text>
      <Text size="sm">
        Checked {mappings.checked} mappings, {webhooks.checked} webhooks and {assets} stored assets
        {!content.isComplete && ', not all of those there are'}.
      </Text>
      {mappings.brokenBefore > 0 && (
        <Text size="sm">{mappings.brokenBefore} mappings are broken already, before this change.</Text>
      )}
      {webhooks.brokenBefore > 0 && (
        <Text size="sm">{webhooks.brokenBefore} webhooks are broken already, before this change.</Text>
      )}
      {unlisted > 0 && <Text size="sm">{unlisted} findings are not listed: each part lists its worst.</Text>}
    </Stack>
  );
}
