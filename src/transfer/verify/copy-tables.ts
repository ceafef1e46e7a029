/**
 * The temporary database of a check: what assets there are, what they reference, and where each history stands.
 */
import { DatabaseSync } from 'node:sqlite';
import type { CopiedAsset, CopiedEntry } from '../../store/copy/store-copy.ts';

/** The last entry of an asset. */
export interface HistoryEnd {
  readonly number: number;
  /** Null when the asset does not exist after it. */
  readonly version: string | null;
}

/** An asset that is not as its history ends, or a history whose asset is gone. */
export interface Disagreement {
  readonly id: string;
  /** Absent when the asset does not exist. */
  readonly type: string | undefined;
  /** The number of the last entry, as the asset has it. */
  readonly number: number;
  readonly end: HistoryEnd | undefined;
}

/** A reference. */
export interface ReferenceTarget {
  readonly id: string;
  /** Class name. */
  readonly type: string;
}

/** Creates it. SQLite keeps it in memory as long as it is small, and in a file without a name otherwise. */
export function createCopyTables() {
  const database = new DatabaseSync('');
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000;
    CREATE TABLE assets (id TEXT PRIMARY KEY, type TEXT NOT NULL, version TEXT NOT NULL, number INTEGER NOT NULL)
      WITHOUT ROWID;
    CREATE TABLE ends (id TEXT PRIMARY KEY, number INTEGER NOT NULL, version TEXT) WITHOUT ROWID;
    CREATE TABLE refs (id TEXT NOT NULL, target TEXT NOT NULL, type TEXT NOT NULL);
    BEGIN`);
  const addAsset = database.prepare('INSERT OR IGNORE INTO assets VALUES (?, ?, ?, ?)');
  const addReference = database.prepare('INSERT INTO refs VALUES (?, ?, ?)');
  const findEnd = database.prepare('SELECT number, version FROM ends WHERE id = ?');
  const setEnd = database.prepare('INSERT OR REPLACE INTO ends VALUES (?, ?, ?)');
  return {
    /** Returns whether no asset had this `_id`. */
    addAsset: ({ id, type, version, number }: CopiedAsset) =>
      addAsset.run(id, type, version, number).changes === 1,
    addReference: (id: string, target: ReferenceTarget) => void addReference.run(id, target.id, target.type),
    // The columns are those of the table.
    findEnd: (id: string) => findEnd.get(id) as HistoryEnd | undefined,
    setEnd: ({ asset, number, version }: CopiedEntry) => void setEnd.run(asset, number, version ?? null),
    /** Lists the references whose targets do not exist. */
    *dangling(): Generator<{ id: string; target: ReferenceTarget }> {
      const missing = database.prepare(
        'SELECT DISTINCT * FROM refs WHERE target NOT IN (SELECT id FROM assets)',
      );
      for (const { id, target, type } of missing.iterate()) {
        yield { id: String(id), target: { id: String(target), type: String(type) } };
      }
    },
    /** Lists the assets that are not as the last entry of their history says. */
    *disagreements(): Generator<Disagreement> {
      const wrong = database.prepare(
        `SELECT assets.id, type, assets.number AS own, ends.number, ends.version FROM assets LEFT JOIN ends USING (id)
           WHERE ends.number IS NULL OR ends.number <> assets.number OR ends.version IS NOT assets.version
         UNION ALL SELECT ends.id, NULL, 0, ends.number, ends.version FROM ends LEFT JOIN assets USING (id)
           WHERE assets.id IS NULL AND ends.version IS NOT NULL`,
      );
      for (const { id, type, own, number, version } of wrong.iterate()) {
        const end =
          number === null ? undefined : { number: Number(number), version: version as string | null };
        yield { id: String(id), type: type === null ? undefined : String(type), number: Number(own), end };
      }
    },
    close: () => database.close(),
  };
}
