/**
 * The words of the assets that were written last, in a small table beside each word index. Runs on the writer thread.
 *
 * Adding one asset to an FTS5 table rewrites several pages; adding a hundred costs little more. So the words of an asset wait in
 * this table until there are enough, and searches look through its few texts. An empty text removes the words of an asset.
 */
import type { DatabaseSync } from 'node:sqlite';
import { recentOf } from './word-indexes.ts';

/** The recent words of one index. All functions run in the transaction of the caller. */
export interface RecentWords {
  /** Counts the words again after a merge, or when other processes have written. Comes first in each transaction. */
  recount(): void;
  /** Stores the words of an asset, in place of all that the index has of it. */
  put(key: number, words: string): void;
  /** Moves all words into the index when they are many. */
  mergeIfMany(): void;
}

/** So many assets, or characters, are merged. A search looks through as many: in some hundred microseconds for each word. */
const manyAssets = 128;
const manyCharacters = 100_000;

/** Prepares the statements for the index with this name. */
export function createRecentWords(database: DatabaseSync, name: string): RecentWords {
  const recent = recentOf(name);
  const put = database.prepare(`INSERT OR REPLACE INTO ${recent} (key, words) VALUES (?, ?)`);
  const measure = database.prepare(
    `SELECT count(*) AS assets, sum(length(words)) AS characters FROM ${recent}`,
  );
  const selectVersion = database.prepare('PRAGMA data_version');
  /** The version of the file for which the words were counted. */
  let version: unknown;
  /** Those of a transaction that was undone count as well, which only brings the next merge forward. */
  let [assets, characters] = [0, 0];

  return {
    recount() {
      const found = selectVersion.get()?.data_version;
      if (found === version) return;
      const row = measure.get();
      [version, assets, characters] = [found, Number(row?.assets), Number(row?.characters)];
    },
    put(key, words) {
      put.run(key, words);
      assets++;
      characters += words.length;
    },
    mergeIfMany() {
      if (assets < manyAssets && characters < manyCharacters) return;
      mergeRecent(database, name);
      // The transaction may still be undone.
      version = undefined;
    },
  };
}

/** Moves all recent words of an index into it, in the transaction of the caller. */
export function mergeRecent(database: DatabaseSync, name: string): void {
  const recent = recentOf(name);
  // FTS5 would write pages even without a change.
  if (!database.prepare(`SELECT 1 FROM ${recent} LIMIT 1`).get()) return;
  database.exec(`DELETE FROM ${name} WHERE rowid IN (SELECT key FROM ${recent});
    INSERT INTO ${name} (rowid, words) SELECT key, words FROM ${recent} WHERE words <> '' ORDER BY key;
    DELETE FROM ${recent};`);
}
