/**
 * Reports results as JUnit XML into a file, case by case.
 *
 * The counts belong in the first element but are known last, so it reserves space and fills it at the end. The file of an
 * interrupted run is complete as well.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { CaseResult } from '../case.ts';
import { escapeXml } from './escape-xml.ts';
import { describeRequest, describeValue, type Reporter } from './report-tap.ts';

/** Opens the file and creates the reporter. Throws when the file cannot be written. */
export function createJunitReporter(file: string, suite: string): Reporter {
  const handle = openSync(file, 'w');
  const counts = { tests: 0, failures: 0, errors: 0, skipped: 0, ms: 0 };
  const head = () => {
    const { tests, failures, errors, skipped, ms } = counts;
    const time = (ms / 1000).toFixed(3);
    const numbers = `tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${time}"`;
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="${escapeXml(suite)}" ${numbers.padEnd(roomForNumbers)}>\n`;
  };
  return {
    begin: () => void writeSync(handle, head()),
    report(result) {
      counts.tests++;
      counts.ms += result.ms;
      if (result.failure) counts.failures++;
      if (result.skipped !== undefined) counts.skipped++;
      writeSync(handle, toElement(result));
    },
    comment: () => {},
    end(reason) {
      if (reason !== undefined) {
        counts.tests++;
        counts.errors++;
        writeSync(handle, toErrorElement(reason));
      }
      writeSync(handle, '</testsuite>\n');
      writeSync(handle, head(), 0);
      closeSync(handle);
    },
  };
}

const roomForNumbers = 120;

function toElement({ operation, title, ms, skipped, failure }: CaseResult): string {
  const head = `  <testcase classname="${escapeXml(operation)}" name="${escapeXml(title)}" time="${(ms / 1000).toFixed(3)}"`;
  if (skipped !== undefined) return `${head}><skipped message="${escapeXml(skipped)}"/></testcase>\n`;
  if (!failure) return `${head}/>\n`;
  const details = [
    ['request', describeRequest(failure)],
    ['expected', failure.expected === undefined ? undefined : describeValue(failure.expected)],
    ['received', failure.received === undefined ? undefined : describeValue(failure.received)],
  ].flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`]));
  const body = escapeXml(details.join('\n'));
  return `${head}><failure message="${escapeXml(failure.message.slice(0, 2_000))}">${body}</failure></testcase>\n`;
}

/** Adds an error for a run that ended early, so that it does not look like a short one. */
function toErrorElement(reason: string): string {
  const head = '  <testcase classname="run" name="completes" time="0.000"';
  return `${head}><error message="${escapeXml(reason)}"/></testcase>\n`;
}
