/**
 * Compares the word indexes with the assets: each asset with words has an entry with as many of them, or their parts, or waits to be
 * indexed.
 *
 * FTS5 keeps the number of words of each row; whether the words themselves are intact is part of SQLite's own check.
 */

import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Asset } from '../../../model/content-type.ts';
import type { Findings } from '../../inspection/findings.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { type DividedWords, divideWords, mostIndexedBytes } from '../words/large-words.ts';
import { type WordIndex, wordsOf } from '../words/word-indexes.ts';
import { listWordIndexes } from '../words/word-tables.ts';

/** Adds what is wrong with the words. */
export function checkWords(
  database: DatabaseSync,
  { types, findings }: { types: StoredTypes; findings: Findings },
): void {
  const needed = [...types.values()].flatMap(({ class: name, number, words }) =>
    [...words.values()].map((index) => ({ name: index.name, label: `${name} ${index.path.text}`, number })),
  );
  const labels = new Map(needed.map(({ name, label }) => [name, label]));
  const known = listWordIndexes(database);
  const complete = new Set(known.filter(({ built }) => built === null).map(({ index }) => index.name));
  for (const { index } of known) {
    const label = labels.get(index.name) ?? index.path.text;
    if (complete.has(index.name)) compare(database, { index, label, findings });
  }
  for (const { name, label, number } of needed) {
    if (number > 0 && !complete.has(name))
      findings.notice('words', `the words of ${label} are not complete until a server has run for a while`);
  }
}

function compare(
  database: DatabaseSync,
  { index, label, findings }: { index: WordIndex; label: string; findings: Findings },
): void {
  const { name, pending, recent, large, type } = index;
  const rows = database.prepare(
    `SELECT assets.id, assets.key, document, stored.sz AS size, recent.words AS recent, large.key AS large
     FROM assets NOT INDEXED
     LEFT JOIN ${name}_docsize AS stored ON stored.id = assets.key
     LEFT JOIN ${recent} AS recent ON recent.key = assets.key
     LEFT JOIN ${large} AS large ON large.part = 0 AND large.key = assets.key
     WHERE type = ${type} AND assets.key NOT IN (SELECT key FROM ${pending})`,
  );
  const selectParts = database.prepare(`SELECT words FROM ${large} WHERE part > 0 AND key = ? ORDER BY part`);
  const partsOf = (key: unknown) => selectParts.all(Number(key)).map(({ words }) => String(words));
  for (const { id, key, document, size, recent: latest, large: isLarge } of rows.iterate()) {
    // Every stored document is an asset.
    const words = wordsOf(index, JSON.parse(String(document)) as Asset);
    const isIndexed = () => {
      const divided = toIndexed(words);
      const [text, parts] = typeof divided === 'string' ? [divided, []] : ['', divided];
      return (
        countOf(size) === countWords(text) && isDeepStrictEqual(isLarge === null ? [] : partsOf(key), parts)
      );
    };
    const isRight = typeof latest === 'string' ? latest === words : isIndexed();
    if (!isRight)
      findings.fault('words', `the words of ${label} are not those of the asset`, { id: String(id) });
  }
  const extra = database
    .prepare(
      `SELECT count(*) AS n FROM (SELECT id FROM ${name}_docsize UNION ALL SELECT key FROM ${large} WHERE part = 0) AS stored
       WHERE id NOT IN (SELECT key FROM ${pending}) AND id NOT IN (SELECT key FROM ${recent})
       AND NOT EXISTS (SELECT 1 FROM assets WHERE assets.key = stored.id AND type = ${type})`,
    )
    .get();
  const count = Number(extra?.n);
  if (count > 0) findings.fault('words', `there are words of ${label} without an asset`, { count });
}

/** Returns what the index has of the words of an asset once they are merged. */
function toIndexed(words: string): DividedWords {
  if (Buffer.byteLength(words) <= mostIndexedBytes) return words;
  const dividing = divideWords(words);
  let step = dividing.next();
  while (!step.done) step = dividing.next();
  return step.value;
}

const countWords = (words: string) => (words === '' ? 0 : words.trim().split(' ').length);

/** Reads the number of words in a row of FTS5, a variable-length integer; 0 without a row. */
function countOf(size: unknown): number {
  if (!(size instanceof Uint8Array)) return 0;
  let count = 0;
  for (const byte of size) {
    count = count * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return count;
}
