/**
 * Writes a report on a change of content types as JUnit XML, so that CI shows what breaks as failed tests.
 */
import { writeFileSync } from 'node:fs';
import { escapeXml } from '../../contract/report/escape-xml.ts';
import { listFindings, type ReportFinding, reportParts } from '../../mapping/types-check/list-findings.ts';
import type { TypesReport } from '../../mapping/types-check/types-report.ts';

/** Writes the file: a failed case for what breaks, a passed one for other findings and for each part without any. */
export function writeJunit(file: string, report: TypesReport): void {
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
