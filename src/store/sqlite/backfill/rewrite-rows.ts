/**
 * Replaces documents for a backfill, in the transaction of the caller.
 *
 * The triggers of the table keep list indexes and words up to date. The version, the number of the last entry and the total and revision
 * of the type stay. Ordinary writes run on the same thread or wait for the transaction, and each reads the row that it changes, so none
 * brings a former document back.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Rewrite } from '../../backfill-calls.ts';
import { checksumOf } from '../document-checksum.ts';
import { getType, type StoredTypes } from '../indexes/stored-types.ts';
import { explainConflict } from '../writes/explain-conflict.ts';

/** A request to replace documents. */
export interface RewriteRequest {
  readonly kind: 'rewrite';
  readonly rewrites: readonly Rewrite[];
}

/** The ids of the replaced documents. */
export interface RewriteResult {
  readonly kind: 'rewritten';
  readonly ids: readonly string[];
}

/** Prepares a function that replaces documents. Its errors: value_in_use, SQLite's. */
export function createRowRewriter(
  database: DatabaseSync,
  types: StoredTypes,
): (request: RewriteRequest) => RewriteResult {
  const select = database.prepare('SELECT key FROM assets WHERE id = ? AND type = ? AND version = ?');
  const update = database.prepare('UPDATE assets SET document = ?, checksum = ?, shape = ? WHERE key = ?');

  function rewrite({ id, type: className, version, text: document, shape }: Rewrite): boolean {
    const type = getType(types, className);
    const key = select.get(id, type.number, version)?.key;
    if (key === undefined) return false;
    explainConflict(database, { type, id, document, isNew: false }, () =>
      update.run(document, checksumOf(document), shape ?? null, Number(key)),
    );
    return true;
  }

  return ({ rewrites }) => ({ kind: 'rewritten', ids: rewrites.filter(rewrite).map(({ id }) => id) });
}
