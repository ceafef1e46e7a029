/**
 * Compares the side tables of list fields with the assets, and the record of indexes with those that exist. SQLite itself checks
 * all other indexes.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Findings } from '../../inspection/findings.ts';
import { type FieldIndex, listedValues } from '../indexes/field-indexes.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';

/** Adds what is wrong with the indexes. */
export function checkIndexes(
  database: DatabaseSync,
  { types, findings }: { types: StoredTypes; findings: Findings },
): void {
  const recorded = new Set(namesOf(database, "SELECT name FROM field_indexes WHERE kind <> 'words'"));
  const existing = new Set(
    namesOf(database, "SELECT name FROM sqlite_schema WHERE type IN ('index', 'table')"),
  );
  for (const name of recorded) {
    if (!existing.has(name)) findings.fault('indexes', `the index ${name} is recorded and does not exist`);
  }
  for (const { class: name, number, indexes } of types.values()) {
    for (const index of indexes.values()) {
      const label = `${name} ${index.path.text}`;
      if (!recorded.has(index.name)) {
        if (number > 0) findings.notice('indexes', `${label} has no index until a server is started`);
      } else if (index.kind === 'list' && existing.has(index.name)) {
        compareList(database, { index, number, label, findings });
      }
    }
  }
}

function compareList(
  database: DatabaseSync,
  {
    index,
    number,
    label,
    findings,
  }: { index: FieldIndex; number: number; label: string; findings: Findings },
): void {
  const [stored, computed] = [`SELECT value, key FROM ${index.name}`, listedValues(number, index)];
  const count = (one: string, other: string) =>
    Number(database.prepare(`SELECT count(*) AS n FROM (${one} EXCEPT ${other})`).get()?.n);
  const [missing, extra] = [count(computed, stored), count(stored, computed)];
  if (missing > 0) findings.fault('indexes', `the index of ${label} lacks entries`, { count: missing });
  if (extra > 0) findings.fault('indexes', `the index of ${label} has entries too many`, { count: extra });
}

const namesOf = (database: DatabaseSync, sql: string) =>
  database
    .prepare(sql)
    .all()
    .map(({ name }) => String(name));
