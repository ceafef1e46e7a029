/**
 * The audit as CSV (RFC 4180), for spreadsheets. A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula, so
 * such a text gets an apostrophe before it.
 */
import type { AuditedChange } from './audit-log.ts';

/** The columns, in order, with what they contain. */
const columns: Readonly<Record<string, (change: AuditedChange) => string | number | undefined>> = {
  seq: ({ seq }) => seq,
  at: ({ atMs }) => new Date(atMs).toISOString(),
  action: ({ action }) => action,
  description: ({ description, publishAt }) =>
    publishAt === undefined ? description : `${description} for ${new Date(publishAt).toISOString()}`,
  type: ({ type }) => type,
  asset: ({ asset }) => asset,
  name: ({ name }) => name,
  changed: ({ changed }) => changed.join(' '),
  byKind: ({ by }) => by.kind,
  byId: ({ by }) => by.id,
  byName: ({ by }) => by.name,
  run: ({ run }) => run,
  requestId: ({ requestId }) => requestId,
  id: ({ id }) => id,
  version: ({ version }) => version,
  previousVersion: ({ previousVersion }) => previousVersion,
};

/** The first line of the table, with the names of the columns. */
export const csvHead = toLine(Object.keys(columns));

/** Converts changes to lines of the table. */
export function toCsv(changes: readonly AuditedChange[]): string {
  return changes.map((change) => toLine(Object.values(columns).map((read) => read(change)))).join('');
}

/** Converts portions of changes to the texts of the whole table. */
export async function* toCsvTexts(portions: AsyncIterable<readonly AuditedChange[]>): AsyncIterable<string> {
  yield csvHead;
  for await (const changes of portions) yield toCsv(changes);
}

function toLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map(toCell).join(',')}\r\n`;
}

function toCell(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
