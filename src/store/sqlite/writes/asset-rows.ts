/**
 * The statements that read and change the row of one asset, and the total and revision of its type.
 */
import type { DatabaseSync } from 'node:sqlite';
import { checksumOf } from '../document-checksum.ts';
import type { StoredType } from '../indexes/stored-types.ts';

/** The columns of a stored row that writes need. */
export interface AssetRow {
  readonly key: number;
  readonly version: string;
  /** The number of the last entry in the change log, 0 when there is none. */
  readonly last_change: number;
  readonly document: string;
}

/** A new row. `number` is that of its entry in the change log. */
interface NewRow {
  readonly id: string;
  readonly type: StoredType;
  readonly version: string;
  readonly number: number;
  readonly document: string;
}

/** Prepares the statements. */
export function createRowStatements(database: DatabaseSync) {
  const select = database.prepare(
    'SELECT key, version, last_change, document FROM assets WHERE id = ? AND type = ?',
  );
  const insert = database.prepare(
    'INSERT INTO assets (id, type, version, shape, last_change, checksum, document) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const update = database.prepare(
    `UPDATE assets SET version = ?, last_change = ?, checksum = ?, document = ?, shape = iif(shape IS ?, shape, NULL)
      WHERE key = ?`,
  );
  const setLastChange = database.prepare('UPDATE assets SET last_change = ? WHERE key = ?');
  const remove = database.prepare('DELETE FROM assets WHERE key = ?');
  const updateTotals = database.prepare(
    'UPDATE types SET total = total + ?, revision = revision + 1 WHERE number = ?',
  );
  return {
    // The strict table in `schema.ts` guarantees the types of the columns.
    find: (id: string, type: StoredType) => select.get(id, type.number) as AssetRow | undefined,
    insert: ({ id, type, version, number, document }: NewRow) =>
      insert.run(id, type.number, version, type.shape, number, checksumOf(document), document),
    /** The row keeps its shape only if the type of this process has it, by which the change was checked. */
    update: ({ key, type, version, number, document }: Omit<NewRow, 'id'> & { readonly key: number }) =>
      update.run(version, number, checksumOf(document), document, type.shape, key),
    setLastChange: (key: number, number: number) => setLastChange.run(number, key),
    remove: (key: number) => remove.run(key),
    /** Adds to the total of a type and changes its revision. */
    count: (added: number, type: StoredType) => updateTotals.run(added, type.number),
  };
}
