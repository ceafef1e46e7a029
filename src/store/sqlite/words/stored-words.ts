/**
 * Creates word indexes, builds them from the stored assets in short steps, and drops them. Runs on the writer thread.
 *
 * Until an index is complete, no search uses it. Other writes run between the steps; they note what they change, whether or not
 * the build has reached it. A serving process asks for steps with each heartbeat, so recent words are merged while nobody writes.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Asset } from '../../../model/content-type.ts';
import {
  forgetIndex,
  type KnownIndex,
  listWordIndexes,
  listWordIndexNames,
  recordIndex,
  setBuilt,
} from './large-words.ts';
import { createStatements, dropStatements, largeOf, pendingOf, type WordIndex } from './word-indexes.ts';
import { createRecentWords, createWordMerging, createWordTable, type WordWriter } from './word-writer.ts';

/** How long one step may take, and how many keys it examines at most; keys of other types are passed quickly. */
const stepMs = 50;
const stepKeys = 10_000;

/** Creates an empty index in the transaction of the caller. */
export function createWordIndex(database: DatabaseSync, index: WordIndex): void {
  for (const statement of createStatements(index)) database.exec(statement);
  recordIndex(database, index);
}

/** Drops an index in the transaction of the caller. */
export function dropWordIndex(database: DatabaseSync, name: string): void {
  for (const statement of dropStatements(name)) database.exec(statement);
  forgetIndex(database, name);
}

/** What a step of building has done. */
export interface WordStep {
  /** Whether every word index is complete, and has its recent words. */
  readonly done: boolean;
  /** The names of the indexes that became complete. */
  readonly completed: readonly string[];
}

/** Merges some words of an index or, when none are due, builds a part of the first incomplete index. In the transaction of the caller. */
export function buildWordStep(database: DatabaseSync, words: WordWriter): WordStep {
  const [first] = listWordIndexes(database).filter(({ built }) => built !== null);
  if (words.mergeStep({ all: !first })) return { done: false, completed: [] };
  if (!first) return { done: true, completed: [] };
  const built = buildPart(database, first);
  setBuilt(database, first.index.name, built);
  return { done: false, completed: built === null ? [first.index.name] : [] };
}

/** Adds the words of the next assets, and returns the greatest key examined; null at the end. */
function buildPart(database: DatabaseSync, { index, built }: KnownIndex): number | null {
  const [from, endMs] = [built ?? 0, performance.now() + stepMs];
  const last = Number(database.prepare('SELECT max(key) AS last FROM assets').get()?.last ?? 0);
  const to = Math.min(from + stepKeys, last);
  const table = createWordTable(database, index);
  const select = database.prepare(
    'SELECT key, document FROM assets NOT INDEXED WHERE key > ? AND key <= ? AND type = ? ORDER BY key',
  );
  for (const { key, document } of select.iterate(from, to, index.type)) {
    // Every stored document is an asset.
    const asset = JSON.parse(String(document)) as Asset;
    table.replace(Number(key), table.wordsOf({ type: index.type, asset }));
    if (performance.now() > endMs) return Number(key);
  }
  return to < last ? to : null;
}

/**
 * Removes the former words of all assets from the pages of all indexes, where FTS5 only marks them as deleted. Rebuilding the file
 * then overwrites them.
 */
export function purgeWords(database: DatabaseSync): void {
  for (const name of listWordIndexNames(database)) {
    const merging = createWordMerging(database, name, createRecentWords(database, name));
    while (merging.step({ all: true }));
    // A key that is pending may be that of an asset which was deleted, and used again. Searches test the assets of these keys.
    database.exec(`DELETE FROM ${name} WHERE rowid IN (SELECT key FROM ${pendingOf(name)})`);
    database.exec(`DELETE FROM ${largeOf(name)} WHERE key IN (SELECT key FROM ${pendingOf(name)})`);
    database.exec(`INSERT INTO ${name} (${name}) VALUES ('optimize')`);
  }
}
