/**
 * The staging table of an index that is filled in steps: the values of the assets so far, with the SQL index over them.
 *
 * SQLite creates an index over a column in one statement, for which writers wait longer the larger the table is. An index over an empty
 * table takes no time, and its entries (value, `_id`, key) are those of an index over the column. So triggers copy each value of the
 * column to the staging table, and when all assets are there, `assignIndex` makes the index that of the type's table.
 */
import type { DatabaseSync } from 'node:sqlite';
import { createValueIndex, type FieldIndex } from './field-indexes.ts';

/** Returns the name of the staging table of the index with this name. */
export const stagingOf = (name: string) => `staged_${name}`;

const dropTrigger = (staging: string, event: string) => `DROP TRIGGER IF EXISTS ${staging}_${event};`;

/** Creates the staging table of an index, whose column has the values of the assets up to a key. */
export function stageIndex(database: DatabaseSync, { name, table, column }: FieldIndex, upTo: number): void {
  const staging = stagingOf(name);
  // It may be left from an index that was dropped and is needed again.
  dropStaging(database, staging);
  database.exec(`
    CREATE TABLE ${staging} (key INTEGER PRIMARY KEY, id TEXT NOT NULL, value);
    ${createValueIndex({ name, table: staging, column: 'value' })};
    INSERT INTO ${staging} SELECT key, id, ${column} FROM ${table} WHERE key <= ${upTo};
    CREATE TRIGGER ${staging}_insert AFTER INSERT ON ${table} BEGIN
      INSERT INTO ${staging} VALUES (new.key, new.id, new.${column});
    END;
    CREATE TRIGGER ${staging}_update AFTER UPDATE OF ${column} ON ${table} BEGIN
      INSERT INTO ${staging} VALUES (new.key, new.id, new.${column})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value;
    END;
    CREATE TRIGGER ${staging}_delete AFTER DELETE ON ${table} BEGIN
      DELETE FROM ${staging} WHERE key = old.key;
    END`);
}

/**
 * Gives the column its name and makes the SQL index of the staging table that of the column. Until the staging table is dropped, only
 * its rows of deleted assets are removed.
 */
export function assignIndex(database: DatabaseSync, { name, table, column }: FieldIndex): void {
  const staging = stagingOf(name);
  database.exec(`${dropTrigger(staging, 'insert')} ${dropTrigger(staging, 'update')}
    ALTER TABLE ${table} RENAME COLUMN ${column} TO ${name}`);
  // Node.js before 24.12 does not have the flag, by which SQLite refuses changes of its schema table.
  database.enableDefensive?.(false);
  try {
    database.exec('PRAGMA writable_schema = ON');
    const { changes } = database
      .prepare(`UPDATE sqlite_schema SET tbl_name = ?, sql = ? WHERE type = 'index' AND name = ?`)
      .run(table, createValueIndex({ name, table, column: name }), name);
    if (changes !== 1) throw new Error(`The index ${name} does not exist`);
  } finally {
    // Other connections read the schema again because the column was renamed, this one because of RESET.
    database.exec('PRAGMA writable_schema = RESET');
    database.enableDefensive?.(true);
  }
  database
    .prepare(
      `INSERT INTO field_indexes SELECT ?, 'staging', class, field, paths, is_unique, keys, 0 FROM field_indexes WHERE name = ?`,
    )
    .run(staging, name);
}

/** Drops a staging table, if it exists, and its record. */
export function dropStaging(database: DatabaseSync, staging: string): void {
  const triggers = ['insert', 'update', 'delete'].map((event) => dropTrigger(staging, event));
  database.exec(`${triggers.join(' ')} DROP TABLE IF EXISTS ${staging}`);
  database.prepare('DELETE FROM field_indexes WHERE name = ?').run(staging);
}
