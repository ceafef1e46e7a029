/**
 * Writes the words of assets for the word indexes. Runs on the writer thread, in the transactions of the caller.
 *
 * FTS5 writes a segment for each savepoint, so the words of all changed assets are written together, before the commit.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Asset } from '../../../model/content-type.ts';
import { mostIndexedBytes } from './large-words.ts';
import { createWordMerging, type WordMerging } from './merge-words.ts';
import { createRecentWords, type RecentWords } from './recent-words.ts';
import { type WordIndex, wordsOf } from './word-indexes.ts';
import { listWordIndexes } from './word-tables.ts';

/** Writes words in the transaction of the caller. */
export interface WordWriter {
  /** Writes the words of changed assets; when there are very many, the next transactions write the others. */
  writePending(): void;
  /** Merges some of the words of one index; with `all`, although its recent words are few. Returns false when there was nothing to do. */
  mergeStep({ all }: { all: boolean }): boolean;
  /** Whether recent words should be merged, between the writes. */
  isDue(): boolean;
  /** Whether they should be before any other write. */
  isOverdue(): boolean;
}

/** The most assets of one index whose words one transaction writes. */
const maxPending = 10_000;

/** Creates the writer of a connection. */
export function createWordWriter(database: DatabaseSync): WordWriter {
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
    mergeStep: (extent) => findTables().some(({ merging }) => merging.step(extent)),
    isDue: () => tables.some(({ merging }) => merging.isDue()),
    isOverdue: () => tables.some(({ merging }) => merging.isOverdue()),
  };
}

/** An asset with the number of its type. */
export interface TypedAsset {
  readonly type: number;
  readonly asset: Asset;
}

/** The statements that change one index. */
export interface WordTable {
  /** Removes keys from the pending ones and returns them. */
  takePending(limit: number): ReadonlySet<number>;
  /** Returns the words of an asset: none without an asset of the index's type. */
  wordsOf(stored: TypedAsset | undefined): string;
  /** The words that are not in the index yet. */
  readonly recent: RecentWords;
  readonly merging: WordMerging;
  /** Replaces the words of an asset in the index, those of a long text in the recent words. */
  replace(key: number, words: string): void;
}

/** Prepares the statements of an index. */
export function createWordTable(database: DatabaseSync, index: WordIndex): WordTable {
  const { name, pending } = index;
  const selectPending = database.prepare(`SELECT key FROM ${pending} ORDER BY key LIMIT ?`);
  const removePending = database.prepare(`DELETE FROM ${pending} WHERE key <= ?`);
  const remove = database.prepare(`DELETE FROM ${name} WHERE rowid = ?`);
  const insert = database.prepare(`INSERT INTO ${name} (rowid, words) VALUES (?, ?)`);
  const recent = createRecentWords(database, name);
  return {
    takePending(limit) {
      const keys = selectPending.all(limit).map(({ key }) => Number(key));
      const last = keys.at(-1);
      if (last !== undefined) removePending.run(last);
      return new Set(keys);
    },
    wordsOf: (stored) => (stored?.type === index.type ? wordsOf(index, stored.asset) : ''),
    recent,
    merging: createWordMerging(database, name, recent),
    replace(key, words) {
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
