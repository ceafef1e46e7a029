/**
 * The words of the assets that were written last, in a small table beside each word index. Runs on the writer thread.
 *
 * A write only puts the words of its assets here, whatever their number. Between writes, `merge-words.ts` moves them into the index.
 * Until then searches look through these texts. An empty text removes the words of an asset.
 */
import type { DatabaseSync } from 'node:sqlite';
import { recentOf } from './word-indexes.ts';

/** How many recent words an index has. */
export interface RecentCount {
  readonly assets: number;
  readonly bytes: number;
}

/** The recent words of one index. All functions run in the transaction of the caller. */
export interface RecentWords {
  /** Stores the words of an asset, in place of all that the index has of it. */
  put(key: number, words: string): void;
  /** Counts the recent words again if other processes have written. */
  refresh(): void;
  /** Counts the recent words again. */
  recount(): RecentCount;
  /** Returns about how many there are. Those of a transaction that was undone count too, until the next `recount`. */
  count(): RecentCount;
}

/** Prepares the statements for the index with this name. */
export function createRecentWords(database: DatabaseSync, name: string): RecentWords {
  const recent = recentOf(name);
  const insert = database.prepare(`INSERT OR REPLACE INTO ${recent} (key, words) VALUES (?, ?)`);
  const measure = database.prepare(
    `SELECT count(*) AS assets, ifnull(sum(octet_length(words)), 0) AS bytes FROM ${recent}`,
  );
  const selectVersion = database.prepare('PRAGMA data_version');
  /** The version of the file for which the words were counted. */
  let version: unknown;
  let counted: RecentCount = { assets: 0, bytes: 0 };

  const readVersion = () => selectVersion.get()?.data_version;
  function recount(): RecentCount {
    const row = measure.get();
    version = readVersion();
    counted = { assets: Number(row?.assets), bytes: Number(row?.bytes) };
    return counted;
  }

  return {
    put(key, words) {
      insert.run(key, words);
      counted = { assets: counted.assets + 1, bytes: counted.bytes + words.length };
    },
    refresh() {
      if (readVersion() !== version) recount();
    },
    recount,
    count: () => counted,
  };
}
