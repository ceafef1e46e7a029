/**
 * What the lines of a dry run would have written so far, as far as later lines depend on it. Kept on disk, as it may not fit into memory.
 */
import { DatabaseSync } from 'node:sqlite';
import type { StoredAsset } from '../../content/content-service.ts';
import type { EffectMap, PendingWrites } from '../../content/overlay/write-overlay.ts';

/** Creates records that end with the process. */
export function createPlannedContent(): PendingWrites {
  // Without a name SQLite makes a temporary file; what it holds need not outlive a crash.
  const database = new DatabaseSync('');
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000');
  return {
    assets: createRecords<StoredAsset>(database, 'assets'),
    holders: createRecords<string>(database, 'holders'),
  };
}

function createRecords<Value>(database: DatabaseSync, table: 'assets' | 'holders'): EffectMap<Value> {
  database.exec(`CREATE TABLE ${table} (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID`);
  const select = database.prepare(`SELECT value FROM ${table} WHERE key = ?`);
  const replace = database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?)`);
  return {
    get(key) {
      const text = select.get(key)?.value;
      // `set` wrote it.
      return typeof text === 'string' ? (JSON.parse(text) as Value) : undefined;
    },
    has: (key) => select.get(key) !== undefined,
    set: (key, value) => void replace.run(key, value === undefined ? null : JSON.stringify(value)),
  };
}
