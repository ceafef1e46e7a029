/**
 * The table `word_indexes`: the word indexes that the database has, what they are made of, and how far each is built.
 *
 * Every process keeps every word index up to date, also those that only the types of other processes need.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { FieldPath } from '../../../model/field-path.ts';
import { wordRules } from '../../word-tokens.ts';
import { toWordIndex, type WordIndex } from './word-indexes.ts';

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

/** Lists the names of all word indexes. */
export function listWordIndexNames(database: DatabaseSync): string[] {
  if (!database.prepare(selectWordTable).get()) return [];
  return database
    .prepare('SELECT name FROM word_indexes')
    .all()
    .map(({ name }) => String(name));
}
