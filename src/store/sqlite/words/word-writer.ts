/**
 * Writes the words of assets to the word indexes. Runs on the writer thread, in the transactions of the caller.
 *
 * FTS5 writes a segment for each savepoint, so the words of all changed assets are written together, before the commit. It also
 * writes one whenever the row IDs do not ascend, so the assets go by their keys.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Asset } from '../../../model/content-type.ts';
import { type WordIndex, wordsOf } from './word-indexes.ts';
import { listWordIndexes } from './word-tables.ts';

/** Writes words in the transaction of the caller. */
export interface WordWriter {
  /** Writes the words of changed assets; when there are very many, the next transactions write the others. */
  writePending(): void;
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
      const keys = new Set(changed.flatMap((one) => [...one.keys]));
      for (const key of [...keys].sort((one, other) => one - other)) {
        const asset = readDocument(key);
        for (const { table, keys: own } of changed) if (own.has(key)) table.replace(key, asset);
      }
    },
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
  /** Replaces the words of an asset. Without an asset of the index's type, removes them. */
  replace(key: number, stored: TypedAsset | undefined): void;
}

/** Prepares the statements of an index. */
export function createWordTable(database: DatabaseSync, index: WordIndex): WordTable {
  const { name, pending } = index;
  const take = database.prepare(
    `DELETE FROM ${pending} WHERE key IN (SELECT key FROM ${pending} LIMIT ?) RETURNING key`,
  );
  const remove = database.prepare(`DELETE FROM ${name} WHERE rowid = ?`);
  const insert = database.prepare(`INSERT INTO ${name} (rowid, words) VALUES (?, ?)`);
  return {
    takePending: (limit) => new Set(take.all(limit).map(({ key }) => Number(key))),
    replace(key, stored) {
      remove.run(key);
      const words = stored?.type === index.type ? wordsOf(index, stored.asset) : '';
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
