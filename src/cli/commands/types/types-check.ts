/**
 * `colophon types check`: what a change of content types breaks, before it is deployed. It reads the configured store, or asks the
 * server that `--url` names, and changes nothing.
 */

import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { TypeSources } from '../../../../generated/server/admin.ts';
import { readFolder, toCatalog } from '../../../app/chosen-types.ts';
import { checkTypesOfStore } from '../../../app/compose/compose-types-check.ts';
import { readConfig } from '../../../app/config/config.ts';
import { checkFailed, usage } from '../../../base/errors.ts';
import type { TypeBreaks } from '../../../content/unfit/count-breaks.ts';
import { escapeXml } from '../../../contract/report/escape-xml.ts';
import type { TypesReport } from '../../../mapping/types-check/types-report.ts';
import { listFindings, type ReportFinding, reportParts } from '../../../mapping/types-check/types-report.ts';
import { type Severity, severities } from '../../../types/type-change.ts';
import type { TypeSource } from '../../../types/type-sources.ts';
import type { CommandCall } from '../../command.ts';
import { printJson, printTable } from '../../output.ts';
import { createAdminSender } from '../admin-server.ts';
import { createRuntime } from '../command-runtime.ts';

export async function checkTypes(call: CommandCall): Promise<void> {
  const types = call.option('types');
  if (!types) throw usage('types check needs --types');
  const sources = readSources(types, '--types');
  const place = call.option('against');
  const against = place === undefined ? undefined : await readSourcesAnywhere(call, place, '--against');
  const url = call.option('url');
  const report =
    url === undefined
      ? await checkStore(call, { sources, against })
      : await askServer(call, { url, sources, against });
  const junit = call.option('junit');
  if (junit !== undefined) writeJunit(junit, report);
  if (call.has('json')) printJson(report);
  else printReport(report);
  if (report.counts.breaking > 0) throw checkFailed('The change of content types breaks something');
}

/** The new types, and those to compare with if they are given. */
interface ComparedSources {
  readonly sources: readonly TypeSource[];
  readonly against: readonly TypeSource[] | undefined;
}

async function checkStore(call: CommandCall, { sources, against }: ComparedSources): Promise<TypesReport> {
  const config = readConfig(process.env);
  const change = {
    ...(against && { before: load(against) }),
    after: load(sources),
  };
  const { report, hasStore } = await checkTypesOfStore(config, createRuntime(call), change);
  if (!hasStore)
    console.error(
      'colophon: there is no store; mappings, webhooks, stored content and API clients are not checked',
    );
  return report;
}

const load = (sources: readonly TypeSource[]) => toCatalog({ sources, folder: '', areShipped: false });

async function askServer(
  call: CommandCall,
  { url, sources, against }: ComparedSources & { url: string },
): Promise<TypesReport> {
  const send = await createAdminSender(call, url);
  const response = await send('/types/check', { sources, ...(against && { against }) });
  // The document of the admin API describes the body.
  return (await response.json()) as TypesReport;
}

const headings: Record<Severity, string> = {
  breaking: 'BREAKING',
  attention: 'NEEDS ATTENTION',
  safe: 'SAFE',
};

function printReport(report: TypesReport): void {
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

/** Reads the SDL files of a folder, or one file; `option` is what the command line calls it. Errors: usage. */
function readSources(place: string, option: string): readonly TypeSource[] {
  try {
    return statSync(place).isDirectory()
      ? readFolder(place).sources
      : [{ file: basename(place), text: readFileSync(place, 'utf8') }];
  } catch (error) {
    throw usage(
      `${option} ${place} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Reads them, or those of the server at an address. Errors: usage, transfer_failed. */
async function readSourcesAnywhere(
  call: CommandCall,
  place: string,
  option: string,
): Promise<readonly TypeSource[]> {
  if (!/^https?:\/\//.test(place)) return readSources(place, option);
  const send = await createAdminSender(call, place);
  const response = await send('/type-sources');
  // The document of the admin API describes the body.
  return ((await response.json()) as TypeSources).sources;
}

/** Writes the file: a failed case for what breaks, a passed one for other findings and for each part without any. */
function writeJunit(file: string, report: TypesReport): void {
  const findings = listFindings(report);
  const failures = findings.filter(({ severity }) => severity === 'breaking').length;
  const quietParts = reportParts.filter((name) => !findings.some(({ part }) => part === name));
  const cases = [
    ...quietParts.map((part) => toCase({ classname: part, name: 'no findings' })),
    ...findings.map(toElement),
  ];
  const head = `<testsuite name="types check" tests="${cases.length}" failures="${failures}" errors="0" skipped="0" time="0.000">`;
  writeFileSync(
    file,
    ['<?xml version="1.0" encoding="UTF-8"?>', head, ...cases, '</testsuite>', ''].join('\n'),
  );
}

function toElement({ part, place, severity, message, ids = [] }: ReportFinding): string {
  const body =
    severity === 'breaking'
      ? `<failure message="${escapeXml(message)}">${escapeXml(ids.join('\n'))}</failure>`
      : `<system-out>${escapeXml(`${severity}: ${message}`)}</system-out>`;
  return toCase({ classname: part, name: place, body });
}

function toCase({ classname, name, body }: { classname: string; name: string; body?: string }): string {
  const start = `  <testcase classname="${classname}" name="${escapeXml(name)}" time="0.000"`;
  return body === undefined ? `${start}/>` : `${start}>${body}</testcase>`;
}
