/**
 * Writes the words of assets for the word indexes. Runs on the writer thread, in the transactions of the caller.
 *
 * FTS5 writes a segment for each savepoint, so the words of all changed assets are written together, before the commit.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { Asset } from '../../../model/content-type.ts';
import {
  createLargeWords,
  type DividedWords,
  divideWords,
  listWordIndexes,
  mostIndexedBytes,
} from './large-words.ts';
import { recentOf, type WordIndex, wordsOf } from './word-indexes.ts';

/** Writes words in the transaction of the caller. */
export type WordWriter = ReturnType<typeof createWordWriter>;

/** The most assets of one index whose words one transaction writes. */
const maxPending = 10_000;

/** Creates the writer of a connection. */
export function createWordWriter(database: DatabaseSync) {
  const selectVersion = database.prepare('PRAGMA schema_version');
  const readDocument = createDocumentReader(database);
  let version: unknown;
  let tables: WordTable[] = [];

  /** Another process may have created or dropped an index, or this transaction has. */
  function findTables(): WordTable[] {
    const found = selectVersion.get()?.schema_version;
    if (found !== version)
      tables = listWordIndexes(database).map(({ index }) => createWordTable(database, index));
    version = found;
    return tables;
  }

  return {
    /** Writes the words of changed assets; when there are very many, the next transactions write the others. */
    writePending() {
      const changed = findTables()
        .map((table) => ({ table, keys: table.takePending(maxPending) }))
        .filter(({ keys }) => keys.size > 0);
      for (const { table } of changed) table.recent.refresh();
      const keys = new Set(changed.flatMap((one) => [...one.keys]));
      for (const key of keys) {
        const asset = readDocument(key);
        for (const { table, keys: own } of changed)
          if (own.has(key)) table.recent.put(key, table.wordsOf(asset));
      }
    },
    /** Merges some of the words of one index; with `all`, although its recent words are few. Returns false when there was nothing to do. */
    mergeStep: (extent: { all: boolean }) => findTables().some(({ merging }) => merging.step(extent)),
    /** Whether recent words should be merged, between the writes. */
    isDue: () => tables.some(({ merging }) => merging.isDue()),
    /** Whether they should be before any other write. */
    isOverdue: () => tables.some(({ merging }) => merging.isOverdue()),
  };
}

/** An asset with the number of its type. */
interface TypedAsset {
  readonly type: number;
  readonly asset: Asset;
}

/** The statements that change one index. */
type WordTable = ReturnType<typeof createWordTable>;

/** Prepares the statements of an index. */
export function createWordTable(database: DatabaseSync, index: WordIndex) {
  const { name, pending } = index;
  const selectPending = database.prepare(`SELECT key FROM ${pending} ORDER BY key LIMIT ?`);
  const removePending = database.prepare(`DELETE FROM ${pending} WHERE key <= ?`);
  const remove = database.prepare(`DELETE FROM ${name} WHERE rowid = ?`);
  const insert = database.prepare(`INSERT INTO ${name} (rowid, words) VALUES (?, ?)`);
  /** The words that are not in the index yet. */
  const recent = createRecentWords(database, name);
  return {
    /** Removes keys from the pending ones and returns them. */
    takePending(limit: number): ReadonlySet<number> {
      const keys = selectPending.all(limit).map(({ key }) => Number(key));
      const last = keys.at(-1);
      if (last !== undefined) removePending.run(last);
      return new Set(keys);
    },
    /** Returns the words of an asset: none without an asset of the index's type. */
    wordsOf: (stored: TypedAsset | undefined) =>
      stored?.type === index.type ? wordsOf(index, stored.asset) : '',
    recent,
    merging: createWordMerging(database, name, recent),
    /** Replaces the words of an asset in the index, those of a long text in the recent words. */
    replace(key: number, words: string) {
      if (Buffer.byteLength(words) > mostIndexedBytes) {
        recent.put(key, words);
        return;
      }
      remove.run(key);
      if (words !== '') insert.run(key, words);
    },
  };
}

function createDocumentReader(database: DatabaseSync): (key: number) => TypedAsset | undefined {
  const select = database.prepare('SELECT type, document FROM assets WHERE key = ?');
  return (key) => {
    const row = select.get(key);
    // Every stored document is an asset, because `insert` and `patch` accept nothing else.
    return row && { type: Number(row.type), asset: JSON.parse(String(row.document)) as Asset };
  };
}

// Moves recent words into a word index, and merges the segments of the index, in short steps between the writes. Runs on the writer
// thread.
//
// FTS5 would merge within whichever write has added the words, so its automatic merging is switched off. A step is bounded by counts: of
// pages, assets, and bytes of words.

/** So many recent words are merged. A search looks through fewer in some hundred microseconds for each word. */
const many = { assets: 128, bytes: mostIndexedBytes };
/** So many are merged before further writes. */
const tooMany = { assets: 12_800, bytes: 16 * 1024 * 1024 };
/** How many pages, of 4 KB, a step writes when it merges segments. */
const stepPages = 32;
/** How many assets a step moves at most. */
const stepAssets = 1_000;

/** Merges the words of one index, in the transaction of the caller. */
export function createWordMerging(database: DatabaseSync, name: string, recent: RecentWords) {
  const mergeSegments = createSegmentMerge(database, name);
  const move = createMove(database, name);
  const hasReached = (limit: typeof many, { assets, bytes } = recent.count()) =>
    assets >= limit.assets || bytes >= limit.bytes;
  let isUnfinished = false;

  return {
    /** Does one step; with `all`, although the recent words are few. Returns false when there was nothing to do. */
    step({ all }: { all: boolean }) {
      const counted = recent.recount();
      isUnfinished = mergeSegments();
      if (!isUnfinished && (all ? counted.assets > 0 : hasReached(many, counted))) {
        move();
        recent.recount();
        isUnfinished = true;
      }
      return isUnfinished;
    },
    /** Whether a step is due. */
    isDue: () => isUnfinished || hasReached(many),
    /** Whether there are so many recent words that searches would take long. */
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

// The words of the assets that were written last, in a small table beside each word index. Runs on the writer thread.
//
// A write only puts the words of its assets here, whatever their number. Between writes, the steps above move them into the index.
// Until then searches look through these texts. An empty text removes the words of an asset.

/** How many recent words an index has. */
interface RecentCount {
  readonly assets: number;
  readonly bytes: number;
}

/** The recent words of one index. All functions run in the transaction of the caller. */
type RecentWords = ReturnType<typeof createRecentWords>;

/** Prepares the statements for the index with this name. */
export function createRecentWords(database: DatabaseSync, name: string) {
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
  /** Counts the recent words again. */
  function recount(): RecentCount {
    const row = measure.get();
    version = readVersion();
    counted = { assets: Number(row?.assets), bytes: Number(row?.bytes) };
    return counted;
  }

  return {
    /** Stores the words of an asset, in place of all that the index has of it. */
    put(key: number, words: string) {
      insert.run(key, words);
      counted = { assets: counted.assets + 1, bytes: counted.bytes + words.length };
    },
    /** Counts the recent words again if other processes have written. */
    refresh() {
      if (readVersion() !== version) recount();
    },
    recount,
    /** Returns about how many there are. Those of a transaction that was undone count too, until the next `recount`. */
    count: (): RecentCount => counted,
  };
}
