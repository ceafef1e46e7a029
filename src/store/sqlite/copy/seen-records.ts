/**
 * The records that a copy has read, in a temporary database: SQLite keeps it in memory as long as it is small, and in a file without a
 * name otherwise.
 */
import { DatabaseSync } from 'node:sqlite';

/** What has been read. */
export interface SeenRecords {
  /** Adds an asset by its `_id`, or an entry by its `seq`. Returns whether it is new. */
  add(record: string | number): boolean;
  has(record: string | number): boolean;
  count(): number;
  close(): void;
}

/** Creates an empty one. */
export function createSeenRecords(): SeenRecords {
  const database = new DatabaseSync('');
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000;
    CREATE TABLE seen (record ANY PRIMARY KEY) STRICT, WITHOUT ROWID; BEGIN`);
  const add = database.prepare('INSERT OR IGNORE INTO seen VALUES (?)');
  const find = database.prepare('SELECT 1 FROM seen WHERE record = ?');
  let count = 0;
  return {
    add(record) {
      const isNew = add.run(record).changes === 1;
      if (isNew) count++;
      return isNew;
    },
    has: (record) => find.get(record) !== undefined,
    count: () => count,
    close: () => database.close(),
  };
}
