/**
 * Reports results as TAP version 14, line by line, with YAML diagnostics of failures.
 *
 * JSON is valid YAML, so each value is printed as one line of JSON; long values are cut and marked.
 */
import type { CaseResult, Failure } from '../case.ts';
import { targetOf } from '../responses/send-request.ts';

/** Receives the results of a run. */
export interface Reporter {
  begin(lines: readonly string[]): void;
  report(result: CaseResult): void;
  /** Adds lines for the reader, which are no results. */
  comment(lines: readonly string[]): void;
  /** Ends the report; `reason` says why the run ended early. */
  end(reason?: string): void;
}

/** Creates the TAP reporter; `write` receives whole lines. */
export function createTapReporter(write: (text: string) => void): Reporter {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let count = 0;
  function comment(lines: readonly string[]): void {
    for (const line of lines) write(`# ${plain(line)}\n`);
  }
  return {
    begin(lines) {
      write('TAP version 14\n');
      comment(lines);
    },
    comment,
    report({ operation, title, skipped, failure, ms }) {
      count++;
      counts[failure ? 'failed' : skipped === undefined ? 'passed' : 'skipped']++;
      const name = `${count} - ${escapeName(`${operation} ${title}`)}`;
      if (failure) {
        write(`not ok ${name}\n${diagnose(failure, ms)}`);
      } else write(`ok ${name}${skipped === undefined ? '' : ` # SKIP ${plain(skipped)}`}\n`);
    },
    end(reason) {
      const { passed, failed, skipped } = counts;
      write(`# ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
      if (reason !== undefined) write(`Bail out! ${plain(reason)}\n`);
      write(`1..${count}\n`);
    },
  };
}

/** A failure's request in one line. */
export function describeRequest({ request }: Failure): string | undefined {
  if (!request) return undefined;
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => ` ${name}: ${value}`);
  const { body, raw } = request;
  const sent =
    body === undefined ? (raw === undefined ? '' : ` ${raw.slice(0, 100)}`) : ` ${describeValue(body)}`;
  return cut(`${request.method} ${targetOf(request)}${headers.join('')}${sent}`);
}

/** A value in one line, JSON but for a text, cut when it is long. */
export function describeValue(value: unknown): string {
  return cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
}

const maxCharacters = 2_000;

function cut(text: string): string {
  const isLong = text.length > maxCharacters;
  return isLong ? `${text.slice(0, maxCharacters)} … (${text.length} characters)` : text;
}

function diagnose(failure: Failure, ms: number): string {
  const { message, expected, received } = failure;
  const request = describeRequest(failure);
  const members: [string, string | undefined][] = [
    ['message', cut(message)],
    ['request', request],
    ['expected', expected === undefined ? undefined : describeValue(expected)],
    ['received', received === undefined ? undefined : describeValue(received)],
  ];
  const lines = members.flatMap(([name, text]) =>
    text === undefined ? [] : [`  ${name}: ${quote(text)}\n`],
  );
  return `  ---\n${lines.join('')}  duration_ms: ${Math.round(ms)}\n  ...\n`;
}

/** Quotes a text for YAML, which forbids some characters that JSON leaves unescaped. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes a description, in which `#` begins a directive. */
const escapeName = (name: string) => plain(name).replaceAll('\\', '\\\\').replaceAll('#', '\\#');

const plain = (text: string) => text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
