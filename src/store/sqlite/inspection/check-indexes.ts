/**
 * Compares the index values of all types with the assets, and the record of indexes with those that exist. SQLite itself checks its
 * indexes of the columns.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Asset } from '../../../model/content-type.ts';
import type { Findings } from '../../inspection/findings.ts';
import { type FieldIndex, indexedValues } from '../indexes/field-indexes.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { tableOf } from '../indexes/type-tables.ts';
import { listFieldIndexes } from '../indexes/value-writer.ts';

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
