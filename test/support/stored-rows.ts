/** Writes the tables of an SQLite database directly: without a change log, or without the knowledge of a store that has it open. */
import type { DatabaseSync } from 'node:sqlite';
import type { Asset } from '../../src/model/content-type.ts';
import { getType, type StoredTypes, tableOf } from '../../src/store/sqlite/indexes/field-indexes.ts';
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

/** Removes the rows of all assets, or of those of one class. The totals stay. */
export function removeRows(database: DatabaseSync, className?: string): void {
  const types = database
    .prepare('SELECT number FROM types WHERE ?1 IS NULL OR class = ?1')
    .all(className ?? null);
  for (const { number } of types)
    database.exec(`DELETE FROM ${tableOf(Number(number))}; DELETE FROM assets WHERE type = ${number}`);
}
