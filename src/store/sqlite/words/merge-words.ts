/**
 * Moves recent words into a word index, and merges the segments of the index, in short steps between the writes. Runs on the writer
 * thread.
 *
 * FTS5 would merge within whichever write has added the words, so its automatic merging is switched off. A step is bounded by counts: of
 * pages, assets, and bytes of words.
 */
import type { DatabaseSync } from 'node:sqlite';
import { createLargeWords, type DividedWords, divideWords, mostIndexedBytes } from './large-words.ts';
import type { RecentWords } from './recent-words.ts';
import { recentOf } from './word-indexes.ts';

/** Merges the words of one index, in the transaction of the caller. */
export interface WordMerging {
  /** Does one step; with `all`, although the recent words are few. Returns false when there was nothing to do. */
  step({ all }: { all: boolean }): boolean;
  /** Whether a step is due. */
  isDue(): boolean;
  /** Whether there are so many recent words that searches would take long. */
  isOverdue(): boolean;
}

/** So many recent words are merged. A search looks through fewer in some hundred microseconds for each word. */
const many = { assets: 128, bytes: mostIndexedBytes };
/** So many are merged before further writes. */
const tooMany = { assets: 12_800, bytes: 16 * 1024 * 1024 };
/** How many pages, of 4 KB, a step writes when it merges segments. */
const stepPages = 32;
/** How many assets a step moves at most. */
const stepAssets = 1_000;

/** Prepares the statements for the index with this name. */
export function createWordMerging(database: DatabaseSync, name: string, recent: RecentWords): WordMerging {
  const mergeSegments = createSegmentMerge(database, name);
  const move = createMove(database, name);
  const hasReached = (limit: typeof many, { assets, bytes } = recent.count()) =>
    assets >= limit.assets || bytes >= limit.bytes;
  let isUnfinished = false;

  return {
    step({ all }) {
      const counted = recent.recount();
      isUnfinished = mergeSegments();
      if (!isUnfinished && (all ? counted.assets > 0 : hasReached(many, counted))) {
        move();
        recent.recount();
        isUnfinished = true;
      }
      return isUnfinished;
    },
    isDue: () => isUnfinished || hasReached(many),
    isOverdue: () => hasReached(tooMany),
  };
}

/** Creates the merge of some pages of segments of the same level, once there are four; it returns whether it has merged any. */
function createSegmentMerge(database: DatabaseSync, name: string): () => boolean {
  const merge = database.prepare(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ${stepPages})`);
  const countChanges = database.prepare('SELECT total_changes() AS n');
  const changes = () => Number(countChanges.get()?.n);
  return () => {
    const before = changes();
    merge.run();
    // The statement itself counts as one change.
    return changes() - before >= 2;
  };
}

/** Creates the move of the next recent words. */
function createMove(database: DatabaseSync, name: string): () => void {
  const recent = recentOf(name);
  const large = createLargeWords(database, name);
  const select = database.prepare(
    `SELECT key, octet_length(words) AS bytes FROM ${recent} ORDER BY key LIMIT ${stepAssets}`,
  );
  const selectWords = database.prepare(`SELECT words FROM ${recent} WHERE key = ?`);
  const isUnchanged = database.prepare(`SELECT 1 FROM ${recent} WHERE key = ? AND words = ?`);
  const insert = database.prepare(`INSERT INTO ${name} (rowid, words) VALUES (?, ?)`);
  const removeAll = database.prepare(
    `DELETE FROM ${name} WHERE rowid IN (SELECT key FROM ${recent} WHERE key BETWEEN ? AND ?)`,
  );
  const insertAll = database.prepare(
    `INSERT INTO ${name} (rowid, words) SELECT key, words FROM ${recent}
     WHERE key BETWEEN ? AND ? AND words <> '' ORDER BY key`,
  );
  const forgetAll = database.prepare(`DELETE FROM ${recent} WHERE key BETWEEN ? AND ?`);
  /** The text whose words are being divided, and in the end the divided words. */
  let dividing:
    | {
        readonly key: number;
        readonly words: string;
        readonly work: Iterator<undefined, DividedWords>;
        readonly divided?: DividedWords;
      }
    | undefined;

  /**
   * Divides the words of a long text and then stores them, unless other words have replaced them meanwhile. They stay among the recent
   * words until all parts are stored.
   */
  function moveLong(key: number): void {
    if (dividing?.key !== key) {
      const words = String(selectWords.get(key)?.words);
      dividing = { key, words, work: divideWords(words) };
    }
    if (dividing.divided === undefined) {
      const { done, value } = dividing.work.next();
      if (done) dividing = { ...dividing, divided: value };
      return;
    }
    const { words, divided } = dividing;
    const isCurrent = isUnchanged.get(key, words) !== undefined;
    if (isCurrent && typeof divided !== 'string' && !large.put(key, divided)) return;
    dividing = undefined;
    if (!isCurrent) return;
    removeAll.run(key, key);
    if (typeof divided === 'string') {
      large.remove(key);
      insert.run(key, divided);
    }
    forgetAll.run(key, key);
  }

  return () => {
    let [bytes, end]: [number, number | undefined] = [0, undefined];
    const rows = select.all().map((row) => ({ key: Number(row.key), bytes: Number(row.bytes) }));
    const [first] = rows;
    if (!first) return;
    if (first.bytes > mostIndexedBytes) {
      moveLong(first.key);
      return;
    }
    for (const row of rows) {
      bytes += row.bytes;
      if (bytes > mostIndexedBytes) break;
      large.remove(row.key);
      end = row.key;
    }
    if (end === undefined) return;
    removeAll.run(first.key, end);
    insertAll.run(first.key, end);
    forgetAll.run(first.key, end);
  };
}
