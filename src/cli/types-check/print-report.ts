/**
 * Prints a report on a change of content types for people: how much breaks first, then the findings, the worst first.
 */
import type { TypeBreaks } from '../../content/unfit/count-breaks.ts';
import { listFindings, type ReportFinding } from '../../mapping/types-check/list-findings.ts';
import type { TypesReport } from '../../mapping/types-check/types-report.ts';
import { type Severity, severities } from '../../model/types/type-change.ts';
import { printTable } from '../output.ts';

const headings: Record<Severity, string> = {
  breaking: 'BREAKING',
  attention: 'NEEDS ATTENTION',
  safe: 'SAFE',
};

/** Prints the report. */
export function printReport(report: TypesReport): void {
  const { counts, mappings, trustedDocuments, webhooks, content } = report;
  console.log(`${counts.breaking} breaking, ${counts.attention} need attention, ${counts.safe} safe`);
  const sumOf = (types: readonly TypeBreaks[]) => types.reduce((sum, { assets }) => sum + assets, 0);
  const documents = trustedDocuments.checked > 0 ? `${trustedDocuments.checked} trusted documents, ` : '';
  console.log(
    `Checked ${mappings.checked} mappings, ${documents}${webhooks.checked} webhooks, ${sumOf(content.types)} stored assets and ${sumOf(content.drafts)} drafts${content.isComplete ? '' : ', not all of those there are'}.`,
  );
  if (mappings.brokenBefore > 0)
    console.log(`${mappings.brokenBefore} mappings are broken already, before this change.`);
  if (trustedDocuments.brokenBefore > 0)
    console.log(`${trustedDocuments.brokenBefore} trusted documents are broken already, before this change.`);
  if (webhooks.brokenBefore > 0)
    console.log(`${webhooks.brokenBefore} webhooks are broken already, before this change.`);
  const findings = listFindings(report);
  const total = counts.breaking + counts.attention + counts.safe;
  if (findings.length < total)
    console.log(`Lists ${findings.length} of ${total} findings, the worst of each part.`);
  for (const severity of severities)
    printFindings(
      headings[severity],
      findings.filter((finding) => finding.severity === severity),
    );
  printClients(report);
}

function printFindings(heading: string, findings: readonly ReportFinding[]): void {
  if (findings.length === 0) return;
  console.log(`\n${heading}`);
  for (const part of new Set(findings.map((finding) => finding.part))) {
    console.log(`  ${part}`);
    for (const { place, message, ids = [] } of findings.filter((finding) => finding.part === part)) {
      console.log(`    ${place}  ${message}`);
      for (const id of ids) console.log(`      ${id}`);
    }
  }
}

function printClients({ clients: { days, count, items } }: TypesReport): void {
  if (items.length === 0) return;
  console.log(`\nAPI clients that called what breaks in the last ${days} days`);
  printTable(
    ['type', 'client', 'method', 'route', 'requests', 'affected'],
    items.map(({ type = '', clientId = 'none', method, route, requests, use }) => [
      type,
      clientId,
      method,
      route,
      String(requests),
      use === 'broken' ? 'all calls' : 'calls that use what changes',
    ]),
  );
  if (count > items.length) console.log(`These are the first ${items.length} of ${count}.`);
}
