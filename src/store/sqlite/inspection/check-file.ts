/**
 * Checks a database file: its pages, totals, index values and words. It reads one connection, which blocks no writer.
 */

import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { isDomainError } from '../../../base/errors.ts';
import type { Asset } from '../../../model/content-type.ts';
import type { CheckedPart, Findings } from '../../inspection/findings.ts';
import { openConnection, type Row } from '../connection.ts';
import {
  createStoredTypes,
  type FieldIndex,
  indexedValues,
  type StoredTypes,
  type TypeToStore,
  tableOf,
} from '../indexes/field-indexes.ts';
import { listFieldIndexes } from '../indexes/value-writer.ts';
import { isBusy, isDiskFault } from '../map-error.ts';
import { findFormat } from '../schema.ts';
import { type DividedWords, divideWords, listWordIndexes, mostIndexedBytes } from '../words/large-words.ts';
import { type WordIndex, wordsOf } from '../words/word-indexes.ts';

const busyMs = 5_000;
/** SQLite lists so many faults of the file. */
const maxFaults = 100;

interface FileCheck {
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

// Compares the index values of all types with the assets, and the record of indexes with those that exist. SQLite itself checks its
// indexes of the columns.

/** Adds what is wrong with the indexes. */
export function checkIndexes(
  database: DatabaseSync,
  { types, findings }: { types: StoredTypes; findings: Findings },
): void {
  const recorded = listFieldIndexes(database);
  const existing = new Set(
    namesOf(database, "SELECT name FROM sqlite_schema WHERE type IN ('index', 'table')"),
  );
  const usable = new Set<string>();
  for (const { class: type, index, filled } of [...recorded.values()].flat()) {
    const { name, field } = index;
    if (filled !== null) findings.notice('indexes', `the index of ${type} ${field} is being built`);
    else if (existing.has(name)) usable.add(name);
    else findings.fault('indexes', `the index ${name} is recorded and does not exist`);
  }
  for (const { class: name, number, indexes } of types.values()) {
    const known = new Set(recorded.get(number)?.map(({ index }) => index.name));
    for (const index of indexes.values())
      if (!known.has(index.name) && number > 0)
        findings.notice('indexes', `${name} ${index.field} has no index until a server is started`);
  }
  const rows = database.prepare('SELECT number, class FROM types ORDER BY number').all();
  for (const { number, class: name } of rows) {
    const type = { number: Number(number), name: String(name) };
    compareRows(database, type, findings);
    const ofType = recorded.get(type.number)?.map(({ index }) => index) ?? [];
    const indexes = ofType.filter(({ name }) => usable.has(name));
    if (indexes.length > 0) compareValues(database, { type, indexes, findings });
  }
}

interface CheckedType {
  readonly number: number;
  readonly name: string;
}

/** Compares the keys and the identifiers. */
function compareRows(database: DatabaseSync, { number, name }: CheckedType, findings: Findings): void {
  const count = (sql: string) => Number(database.prepare(`SELECT count(*) AS n FROM (${sql})`).get()?.n);
  const [listed, stored] = [
    `SELECT key, id FROM ${tableOf(number)} NOT INDEXED`,
    `SELECT key, id FROM assets NOT INDEXED WHERE type = ${number}`,
  ];
  const [missing, extra] = [count(`${stored} EXCEPT ${listed}`), count(`${listed} EXCEPT ${stored}`)];
  if (missing > 0) findings.fault('indexes', `the table of ${name} lacks assets`, { count: missing });
  if (extra > 0) findings.fault('indexes', `the table of ${name} has assets too many`, { count: extra });
}

interface Comparison {
  readonly type: CheckedType;
  readonly indexes: readonly FieldIndex[];
  readonly findings: Findings;
}

function compareValues(database: DatabaseSync, { type, indexes, findings }: Comparison): void {
  const columns = indexes.filter(({ kind }) => kind === 'value');
  const names = ['document', 'key', ...columns.map(({ column }) => column)];
  const rows = database.prepare(
    `SELECT ${names.join(', ')} FROM ${tableOf(type.number)} NOT INDEXED CROSS JOIN assets USING (key, id)`,
  );
  const lists = indexes
    .filter(({ kind }) => kind === 'list')
    .map((index) => ({
      index,
      find: database.prepare(`SELECT 1 FROM ${index.table} WHERE value = ? AND key = ?`),
    }));
  const counts = new Map(indexes.map(({ name }) => [name, { missing: 0, extra: 0, found: 0 }]));
  const countOf = ({ name }: FieldIndex) => counts.get(name) ?? { missing: 0, extra: 0, found: 0 };
  for (const row of rows.iterate()) {
    // Every stored document is an asset.
    const asset = JSON.parse(String(row.document)) as Asset;
    for (const index of columns) {
      const [stored, count] = [row[index.column] ?? null, countOf(index)];
      const [value = null] = indexedValues(index, asset);
      if (value === stored) continue;
      if (value !== null) count.missing++;
      if (stored !== null) count.extra++;
    }
    for (const { index, find } of lists) {
      for (const value of indexedValues(index, asset))
        countOf(index)[find.get(value, Number(row.key)) ? 'found' : 'missing']++;
    }
  }
  for (const { index } of lists) {
    const all = database.prepare(`SELECT count(*) AS n FROM ${index.table}`).get();
    countOf(index).extra = Number(all?.n) - countOf(index).found;
  }
  for (const index of indexes) {
    const label = `${type.name} ${index.field}`;
    const { missing, extra } = countOf(index);
    if (missing > 0) findings.fault('indexes', `the index of ${label} lacks entries`, { count: missing });
    if (extra > 0) findings.fault('indexes', `the index of ${label} has entries too many`, { count: extra });
  }
}

const namesOf = (database: DatabaseSync, sql: string) =>
  database
    .prepare(sql)
    .all()
    .map(({ name }) => String(name));

// Compares the word indexes with the assets: each asset with words has an entry with as many of them, or their parts, or waits to be
// indexed.
//
// FTS5 keeps the number of words of each row; whether the words themselves are intact is part of SQLite's own check.

/** Adds what is wrong with the words. */
function checkWords(
  database: DatabaseSync,
  { types, findings }: { types: StoredTypes; findings: Findings },
): void {
  const needed = [...types.values()].flatMap(({ class: name, number, words }) =>
    [...words.values()].map((index) => ({ name: index.name, label: `${name} ${index.path.text}`, number })),
  );
  const labels = new Map(needed.map(({ name, label }) => [name, label]));
  const known = listWordIndexes(database);
  const complete = new Set(known.filter(({ built }) => built === null).map(({ index }) => index.name));
  for (const { index } of known) {
    const label = labels.get(index.name) ?? index.path.text;
    if (complete.has(index.name)) compare(database, { index, label, findings });
  }
  for (const { name, label, number } of needed) {
    if (number > 0 && !complete.has(name))
      findings.notice('words', `the words of ${label} are not complete until a server has run for a while`);
  }
}

function compare(
  database: DatabaseSync,
  { index, label, findings }: { index: WordIndex; label: string; findings: Findings },
): void {
  const { name, pending, recent, large, type } = index;
  const rows = database.prepare(
    `SELECT assets.id, assets.key, document, stored.sz AS size, recent.words AS recent, large.key AS large
     FROM assets NOT INDEXED
     LEFT JOIN ${name}_docsize AS stored ON stored.id = assets.key
     LEFT JOIN ${recent} AS recent ON recent.key = assets.key
     LEFT JOIN ${large} AS large ON large.part = 0 AND large.key = assets.key
     WHERE type = ${type} AND assets.key NOT IN (SELECT key FROM ${pending})`,
  );
  const selectParts = database.prepare(`SELECT words FROM ${large} WHERE part > 0 AND key = ? ORDER BY part`);
  const partsOf = (key: unknown) => selectParts.all(Number(key)).map(({ words }) => String(words));
  for (const { id, key, document, size, recent: latest, large: isLarge } of rows.iterate()) {
    // Every stored document is an asset.
    const words = wordsOf(index, JSON.parse(String(document)) as Asset);
    const isIndexed = () => {
      const divided = toIndexed(words);
      const [text, parts] = typeof divided === 'string' ? [divided, []] : ['', divided];
      return (
        countOf(size) === countWords(text) && isDeepStrictEqual(isLarge === null ? [] : partsOf(key), parts)
      );
    };
    const isRight = typeof latest === 'string' ? latest === words : isIndexed();
    if (!isRight)
      findings.fault('words', `the words of ${label} are not those of the asset`, { id: String(id) });
  }
  const extra = database
    .prepare(
      `SELECT count(*) AS n FROM (SELECT id FROM ${name}_docsize UNION ALL SELECT key FROM ${large} WHERE part = 0) AS stored
       WHERE id NOT IN (SELECT key FROM ${pending}) AND id NOT IN (SELECT key FROM ${recent})
       AND NOT EXISTS (SELECT 1 FROM assets WHERE assets.key = stored.id AND type = ${type})`,
    )
    .get();
  const count = Number(extra?.n);
  if (count > 0) findings.fault('words', `there are words of ${label} without an asset`, { count });
}

/** Returns what the index has of the words of an asset once they are merged. */
function toIndexed(words: string): DividedWords {
  if (Buffer.byteLength(words) <= mostIndexedBytes) return words;
  const dividing = divideWords(words);
  let step = dividing.next();
  while (!step.done) step = dividing.next();
  return step.value;
}

const countWords = (words: string) => (words === '' ? 0 : words.trim().split(' ').length);

/** Reads the number of words in a row of FTS5, a variable-length integer; 0 without a row. */
function countOf(size: unknown): number {
  if (!(size instanceof Uint8Array)) return 0;
  let count = 0;
  for (const byte of size) {
    count = count * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return count;
}
