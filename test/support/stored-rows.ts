/** Stores assets in the tables of an SQLite database without a change log, for tests of single statements. */
import type { DatabaseSync } from 'node:sqlite';
import type { Asset } from '../../src/model/content-type.ts';
import { getType, type StoredTypes } from '../../src/store/sqlite/indexes/stored-types.ts';
import { createValueWriter } from '../../src/store/sqlite/indexes/value-writer.ts';

/** Inserts the rows of assets, and adds them to the totals. */
export function storeRows(database: DatabaseSync, types: StoredTypes, assets: readonly Asset[]): void {
  const values = createValueWriter(database);
  values.refresh();
  const insert = database.prepare(
    'INSERT INTO assets (id, type, version, checksum, document) VALUES (?, ?, ?, 0, ?)',
  );
  const count = database.prepare('UPDATE types SET total = total + 1 WHERE number = ?');
  for (const asset of assets) {
    const { number } = getType(types, asset._type);
    const { lastInsertRowid } = insert.run(asset._id, number, '', JSON.stringify(asset));
    values.insert({ type: number, key: Number(lastInsertRowid), id: asset._id }, () => asset);
    count.run(number);
  }
}
