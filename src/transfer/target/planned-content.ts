/**
 * The assets that the lines of a dry run would have written so far, and their unique values. Kept on disk, as they may not fit into
 * memory.
 */
import { DatabaseSync } from 'node:sqlite';

/** The identity of an asset. */
export interface KnownAsset {
  readonly _id: string;
  readonly _type: string;
}

/** The value of a unique field. */
export interface UniqueValue {
  readonly type: string;
  /** The field's path, such as `slug`. */
  readonly path: string;
  readonly value: string;
}

/** The planned assets. */
export interface PlannedContent {
  find(id: string): KnownAsset | undefined;
  /** Finds the asset that would have the value. */
  findByValue(value: UniqueValue): KnownAsset | undefined;
  /** Returns whether a planned write sets or removes this field of an asset. */
  hasOwnValue(id: string, field: Omit<UniqueValue, 'value'>): boolean;
  add(asset: KnownAsset): void;
  /** Records the value that a write gives to a field; without a value, its removal. */
  setValue(id: string, value: Omit<UniqueValue, 'value'> & { readonly value?: string }): void;
}

/** Creates records that end with the process. */
export function createPlannedContent(): PlannedContent {
  // Without a name SQLite makes a temporary file; what it holds need not outlive a crash.
  const database = new DatabaseSync('');
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000;
    CREATE TABLE assets (id TEXT PRIMARY KEY, type TEXT) WITHOUT ROWID;
    CREATE TABLE uniques (id TEXT, type TEXT, path TEXT, value TEXT, PRIMARY KEY (id, type, path)) WITHOUT ROWID;
    CREATE INDEX by_value ON uniques (type, path, value)`);
  const find = database.prepare('SELECT id AS _id, type AS _type FROM assets WHERE id = ?');
  const byValue = database.prepare(
    'SELECT id AS _id, type AS _type FROM uniques WHERE type = ? AND path = ? AND value = ?',
  );
  const own = database.prepare('SELECT 1 FROM uniques WHERE id = ? AND type = ? AND path = ?');
  const add = database.prepare('INSERT OR IGNORE INTO assets VALUES (?, ?)');
  const set = database.prepare('INSERT OR REPLACE INTO uniques VALUES (?, ?, ?, ?)');
  // The rows are as the tables have them.
  const toAsset = (row: unknown) => row as KnownAsset | undefined;
  return {
    find: (id) => toAsset(find.get(id)),
    findByValue: ({ type, path, value }) => toAsset(byValue.get(type, path, value)),
    hasOwnValue: (id, { type, path }) => own.get(id, type, path) !== undefined,
    add: ({ _id, _type }) => void add.run(_id, _type),
    setValue: (id, { type, path, value }) => void set.run(id, type, path, value ?? null),
  };
}
