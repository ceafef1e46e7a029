/**
 * Applies one write to one asset: changes its row, and the total and revision of its type. The caller opens the transaction.
 */
import type { DatabaseSync } from 'node:sqlite';
import { idInUse, preconditionFailed, valueInUse } from '../../../base/errors.ts';
import type { JsonObject } from '../../../model/content-type.ts';
import { expressionOf } from '../indexes/field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/stored-types.ts';
import { isUniqueViolation } from '../map-error.ts';

/** One write, as it is sent to the writer thread; documents and changes are JSON text. */
export type WriteRequest =
  | {
      readonly kind: 'insert';
      readonly type: string;
      readonly id: string;
      readonly version: string;
      readonly document: string;
    }
  | {
      readonly kind: 'patch';
      readonly type: string;
      readonly id: string;
      readonly version: string;
      readonly changes: string;
      readonly ifVersion?: string;
    }
  | { readonly kind: 'delete'; readonly type: string; readonly id: string; readonly ifVersion?: string };

/** The content of a patch's `changes`: new values by field name, and the names of fields to remove. */
export interface PatchChanges {
  readonly set: JsonObject;
  readonly unset: readonly string[];
}

/** The changed document for a patch, else `true`; `undefined` when the asset to patch or delete does not exist. */
export type WriteResult = string | true | undefined;

/** The columns of a stored row that writes need. */
interface AssetRow {
  readonly key: number;
  readonly version: string;
  readonly document: string;
}

/** Prepares a function that runs one write. Its errors: id_in_use, value_in_use, precondition_failed, SQLite's. */
export function createRowWriter(database: DatabaseSync, types: StoredTypes) {
  const insert = database.prepare('INSERT INTO assets (id, type, version, document) VALUES (?, ?, ?, ?)');
  const update = database.prepare('UPDATE assets SET version = ?, document = ? WHERE key = ?');
  const remove = database.prepare('DELETE FROM assets WHERE key = ?');
  const select = database.prepare('SELECT key, version, document FROM assets WHERE id = ? AND type = ?');
  const updateTotals = database.prepare(
    'UPDATE types SET total = total + ?, revision = revision + 1 WHERE number = ?',
  );
  return (request: WriteRequest): WriteResult => {
    const { kind, id } = request;
    const type = getType(types, request.type);
    if (type.number === 0) throw new Error('The store was opened for reading');
    if (kind === 'insert') {
      const { version, document } = request;
      const candidate = { type, id, document, isNew: true };
      explainConflict(database, candidate, () => insert.run(id, type.number, version, document));
      updateTotals.run(1, type.number);
      return true;
    }
    // The strict table in `schema.ts` guarantees the types of the columns.
    const row = select.get(id, type.number) as AssetRow | undefined;
    if (row === undefined) return undefined;
    if (request.ifVersion !== undefined && request.ifVersion !== row.version) throw preconditionFailed(id);
    if (kind === 'delete') {
      remove.run(row.key);
      updateTotals.run(-1, type.number);
      return true;
    }
    const document = applyChanges(row.document, request.changes);
    const candidate = { type, id, document, isNew: false };
    explainConflict(database, candidate, () => update.run(request.version, document, row.key));
    updateTotals.run(0, type.number);
    return document;
  };
}

function applyChanges(document: string, changes: string): string {
  // Both texts were made by `JSON.stringify` from an asset and from `PatchChanges`.
  const { set, unset } = JSON.parse(changes) as PatchChanges;
  const asset: JsonObject = { ...JSON.parse(document), ...set };
  for (const name of unset) delete asset[name];
  return JSON.stringify(asset);
}

interface Candidate {
  readonly type: StoredType;
  readonly id: string;
  readonly document: string;
  readonly isNew: boolean;
}

/** Runs `write`; when it violates a unique constraint, throws an error that names the value in use. */
function explainConflict(database: DatabaseSync, candidate: Candidate, write: () => void): void {
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
