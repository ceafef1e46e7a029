/**
 * Checks a database file: its pages, totals, index values and words. It reads one connection, which blocks no writer.
 */
import type { DatabaseSync } from 'node:sqlite';
import { isDomainError } from '../../../base/errors.ts';
import type { CheckedPart, Findings } from '../../inspection/findings.ts';
import { openConnection, type Row } from '../connection.ts';
import { createStoredTypes, type TypeToStore } from '../indexes/stored-types.ts';
import { isBusy, isDiskFault } from '../map-error.ts';
import { findFormat } from '../schema.ts';
import { checkIndexes } from './check-indexes.ts';
import { checkWords } from './check-words.ts';

const busyMs = 5_000;
/** SQLite lists so many faults of the file. */
const maxFaults = 100;

/** What to check. */
export interface FileCheck {
  readonly file: string;
  readonly types: readonly TypeToStore[];
  readonly findings: Findings;
  /** Is called before each part. */
  onPart(part: CheckedPart): void;
}

/** Adds what is wrong with the file. Errors: SQLite's when the file cannot be read, those of `findFormat`. */
export function checkFile({ file, types, findings, onPart }: FileCheck): void {
  const attempt = (part: CheckedPart, work: () => void) => {
    onPart(part);
    try {
      work();
    } catch (error) {
      if (isBusy(error) || isDiskFault(error) || isDomainError(error)) throw error;
      // Values of a damaged page can make any check fail.
      const message = error instanceof Error ? error.message : String(error);
      findings.fault(part, `the file is so damaged that this cannot be checked: ${message}`);
    }
  };
  attempt('database', () => {
    const database = openConnection({ file, busyMs, mustExist: true });
    try {
      checkAll(database, { file, types, findings, attempt });
    } finally {
      database.close();
    }
  });
}

interface Check extends Omit<FileCheck, 'onPart'> {
  attempt(part: CheckedPart, work: () => void): void;
}

function checkAll(database: DatabaseSync, { file, types, findings, attempt }: Check): void {
  database.exec('PRAGMA query_only = TRUE');
  const isEmpty = findFormat(database, file) === 0;
  // The check of all assets reports documents that are no JSON. What compares fields with their indexes cannot read those.
  let isReadable = isEmpty;
  attempt('database', () => {
    isReadable ||= !hasUnreadable(database);
  });
  attempt('database', () => checkPages(database, findings));
  if (isEmpty) return;
  database.exec('BEGIN');
  attempt('totals', () => checkTotals(database, findings));
  if (!isReadable) {
    findings.notice('indexes', 'no index can be compared with the assets while one of them is damaged');
    return;
  }
  const stored = createStoredTypes(types, numbersOf(database));
  attempt('indexes', () => checkIndexes(database, { types: stored, findings }));
  attempt('words', () => checkWords(database, { types: stored, findings }));
}

const hasUnreadable = (database: DatabaseSync) =>
  database.prepare('SELECT 1 FROM assets NOT INDEXED WHERE NOT json_valid(document)').get() !== undefined;

/** Lets SQLite check all pages, and each index against its table. */
function checkPages(database: DatabaseSync, findings: Findings): void {
  const statement = database.prepare(`PRAGMA integrity_check(${maxFaults})`);
  statement.setReturnArrays(true);
  for (const row of statement.iterate() as Iterable<unknown>) {
    const [text] = row as Row;
    if (text !== 'ok') findings.fault('database', `SQLite reports: ${String(text).replaceAll('\n', '; ')}`);
  }
}

function checkTotals(database: DatabaseSync, findings: Findings): void {
  const wrong = database
    .prepare(
      `SELECT class, total, n FROM types
       LEFT JOIN (SELECT type, count(*) AS n FROM assets NOT INDEXED GROUP BY type) ON type = number
       WHERE total <> ifnull(n, 0)`,
    )
    .all();
  for (const { class: name, total, n } of wrong) {
    findings.fault('totals', `the total of ${name} is ${total}, and there are ${n ?? 0} assets`);
  }
}

const numbersOf = (database: DatabaseSync) =>
  new Map(
    database
      .prepare('SELECT class, number FROM types')
      .all()
      .map((row) => [String(row.class), Number(row.number)]),
  );
