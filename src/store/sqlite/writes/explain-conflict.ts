/**
 * Explains why a write violated a unique index: finds the identifier or the value in use.
 */
import type { DatabaseSync } from 'node:sqlite';
import { idInUse, valueInUse } from '../../../base/errors.ts';
import { expressionOf } from '../indexes/field-indexes.ts';
import type { StoredType } from '../indexes/stored-types.ts';
import { isUniqueViolation } from '../map-error.ts';

/** The asset that a write stores. */
export interface Candidate {
  readonly type: StoredType;
  readonly id: string;
  readonly document: string;
  readonly isNew: boolean;
}

/** Runs `write`; when it violates a unique constraint, throws an error that names the value in use. */
export function explainConflict(database: DatabaseSync, candidate: Candidate, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw isUniqueViolation(error) ? (findConflict(database, candidate) ?? error) : error;
  }
}

/** Finds the value in use. Checks the identifier first, because a repeated insert repeats all values of the asset. */
function findConflict(database: DatabaseSync, { type, id, document, isNew }: Candidate) {
  if (isNew && database.prepare('SELECT 1 FROM assets WHERE id = ?').get(id)) return idInUse(id);
  for (const { field, expression } of uniqueExpressions(database, type)) {
    const rival = database
      .prepare(
        `SELECT value FROM (SELECT ${expression} AS value FROM (SELECT ?1 AS document))
         WHERE EXISTS (SELECT 1 FROM assets WHERE type = ${type.number} AND ${expression} = value AND id <> ?2)`,
      )
      .get(document, id);
    if (rival) return valueInUse(field, String(rival.value));
  }
  return undefined;
}

/** Lists the unique fields of a type by the existing indexes: a process with other types may have created more of them. */
function uniqueExpressions(database: DatabaseSync, { class: name }: StoredType) {
  const rows = database
    .prepare(
      `SELECT field, sql FROM field_indexes JOIN sqlite_schema USING (name)
       WHERE class = ? AND sql LIKE 'CREATE UNIQUE INDEX %'`,
    )
    .all(name);
  return rows.flatMap(({ field, sql }) => {
    const expression = expressionOf(String(sql));
    return expression === undefined ? [] : [{ field: String(field), expression }];
  });
}
