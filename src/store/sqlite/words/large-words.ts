/**
 * The words of large texts, in a table beside each word index: those of an asset that has so many different ones that FTS5, which
 * takes all words of a row at once, would keep other writes waiting.
 *
 * A hash divides the words of such an asset among a fixed number of parts, each a row. So a search reads one short text for each of its
 * words and each of these assets. The row with the part 0 marks the asset and has no words.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { FieldPath } from '../../../model/field-path.ts';
import { wordRules } from '../../word-tokens.ts';
import { largeOf, toWordIndex, type WordIndex } from './word-indexes.ts';

/** The different words of a long text, each between blanks: as one text for the index, or as those of all parts if they are too many. */
export type DividedWords = string | readonly string[];

/** The most bytes that the index takes of one asset, and in one step. */
export const mostIndexedBytes = 100_000;

const partCount = 256;
/** So many words are divided, or put together again, before other work may run. */
const wordsAtOnce = 5_000;
/** So many parts are stored in one transaction. */
const partsAtOnce = 64;

/** Returns the number of the part that has a token: from 1. */
export function partOf(token: string): number {
  let hash = 0;
  for (let at = 0; at < token.length; at++) hash = (Math.imul(hash, 31) + token.charCodeAt(at)) | 0;
  // Similar words differ in the lower bits of the sum, and these in few.
  return ((Math.imul(hash, 0x9e3779b1) >>> 24) % partCount) + 1;
}

/** The numbers of all parts. */
export const allParts: readonly number[] = Array.from({ length: partCount }, (_, at) => at + 1);

/** Divides the words of a long text; stops after each portion. */
export function* divideWords(words: string): Generator<undefined, DividedWords> {
  const parts = Array.from({ length: partCount }, () => new Set<string>());
  const isPortion = createPortions();
  let bytes = 1;
  for (let start = 1; start < words.length; ) {
    const end = words.indexOf(' ', start);
    const word = words.slice(start, end);
    const part = parts[partOf(word) - 1];
    if (part && !part.has(word)) {
      part.add(word);
      bytes += Buffer.byteLength(word) + 1;
    }
    start = end + 1;
    if (isPortion(1)) yield;
  }
  const texts: string[] = [];
  for (const part of parts) {
    texts.push(part.size > 0 ? ` ${[...part].join(' ')} ` : '');
    if (isPortion(part.size)) yield;
  }
  return bytes > mostIndexedBytes ? texts : texts.join('').replaceAll('  ', ' ');
}

/** Returns a function that counts words, and is true each time when they are a portion. */
function createPortions() {
  let count = 0;
  return (added: number): boolean => {
    count += added;
    if (count < wordsAtOnce) return false;
    count = 0;
    return true;
  };
}

/** The words of large texts of one index. All functions run in the transaction of the caller. */
export function createLargeWords(database: DatabaseSync, name: string) {
  const large = largeOf(name);
  const find = database.prepare(`SELECT 1 FROM ${large} WHERE part = 0 AND key = ?`);
  const select = database.prepare(`SELECT words FROM ${large} WHERE part = ? AND key = ?`);
  const insert = database.prepare(`INSERT OR REPLACE INTO ${large} (part, key, words) VALUES (?, ?, ?)`);
  const removePart = database.prepare(`DELETE FROM ${large} WHERE part = ? AND key = ?`);
  const remove = (key: number) => {
    if (!find.get(key)) return;
    for (let part = 0; part <= partCount; part++) removePart.run(part, key);
  };
  return {
    /** Stores some of the parts of an asset that differ from what it has; returns whether it has all of them now. */
    put(key: number, parts: readonly string[]) {
      if (!find.get(key)) insert.run(0, key, '');
      let left = partsAtOnce;
      for (const [at, words] of parts.entries()) {
        if (select.get(at + 1, key)?.words === words) continue;
        if (left === 0) return false;
        insert.run(at + 1, key, words);
        left--;
      }
      return true;
    },
    remove,
  };
}

// The table `word_indexes`: the word indexes that the database has, what they are made of, and how far each is built.
//
// Every process keeps every word index up to date, also those that only the types of other processes need.

/** `built` is the greatest key whose words are stored, null when the words of all assets are. */
const table = `CREATE TABLE IF NOT EXISTS word_indexes (
  name TEXT PRIMARY KEY,
  type INTEGER NOT NULL,
  path TEXT NOT NULL,
  rules INTEGER NOT NULL,
  built INTEGER
) STRICT`;

/** Lists the names of the indexes that are complete, as SQL. Only for a file that has the table. */
export const selectComplete = 'SELECT name FROM word_indexes WHERE built IS NULL';

/** Finds the table `word_indexes`, as SQL: no row when there is none. */
export const selectWordTable =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'word_indexes'";

/** Records an index without words. */
export function recordIndex(database: DatabaseSync, { name, type, path }: WordIndex): void {
  database.exec(table);
  const insert = database.prepare(
    'INSERT INTO word_indexes (name, type, path, rules, built) VALUES (?, ?, ?, ?, 0)',
  );
  insert.run(name, type, JSON.stringify(path), wordRules);
}

/** Removes the record of an index. */
export function forgetIndex(database: DatabaseSync, name: string): void {
  database.prepare('DELETE FROM word_indexes WHERE name = ?').run(name);
}

/** Sets how far an index is built. */
export function setBuilt(database: DatabaseSync, name: string, built: number | null): void {
  database.prepare('UPDATE word_indexes SET built = ? WHERE name = ?').run(built, name);
}

/** A word index of the database, and how far it is built. */
export interface KnownIndex {
  readonly index: WordIndex;
  readonly built: number | null;
}

/** Lists the word indexes that this process would fill in the same way: the name of an index follows from how it is filled. */
export function listWordIndexes(database: DatabaseSync): KnownIndex[] {
  if (!database.prepare(selectWordTable).get()) return [];
  const rows = database.prepare('SELECT name, type, path, built FROM word_indexes').all();
  return rows.flatMap(({ name, type, path, built }) => {
    // `recordIndex` wrote the path.
    const index = toWordIndex(Number(type), JSON.parse(String(path)) as FieldPath);
    return index.name === name ? [{ index, built: built === null ? null : Number(built) }] : [];
  });
}

export function listWordIndexNames(database: DatabaseSync): string[] {
  if (!database.prepare(selectWordTable).get()) return [];
  return database
    .prepare('SELECT name FROM word_indexes')
    .all()
    .map(({ name }) => String(name));
}
