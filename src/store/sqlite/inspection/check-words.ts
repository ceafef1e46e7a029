/**
 * Compares the word indexes with the assets: each asset with words has an entry with as many of them, or waits to be indexed.
 *
 * FTS5 keeps the number of words of each row; whether the words themselves are intact is part of SQLite's own check.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Asset } from '../../../model/content-type.ts';
import type { Findings } from '../../inspection/findings.ts';
import type { StoredTypes } from '../indexes/stored-types.ts';
import { type WordIndex, wordsOf } from '../words/word-indexes.ts';
import { listWordIndexes } from '../words/word-tables.ts';

/** Adds what is wrong with the words. */
export function checkWords(
  database: DatabaseSync,
  { types, findings }: { types: StoredTypes; findings: Findings },
): void {
  const labels = new Map(
    [...types.values()].flatMap(({ class: name, words }) =>
      [...words.values()].map((index) => [index.name, `${name} ${index.path.text}`] as const),
    ),
  );
  for (const { index, built } of listWordIndexes(database)) {
    const label = labels.get(index.name) ?? index.path.text;
    if (built === null) compare(database, { index, label, findings });
    else
      findings.notice('words', `the words of ${label} are not complete until a server has run for a while`);
  }
}

function compare(
  database: DatabaseSync,
  { index, label, findings }: { index: WordIndex; label: string; findings: Findings },
): void {
  const { name, pending, recent, type } = index;
  const rows = database.prepare(
    `SELECT assets.id, document, stored.sz AS size, recent.words AS recent FROM assets NOT INDEXED
     LEFT JOIN ${name}_docsize AS stored ON stored.id = assets.key
     LEFT JOIN ${recent} AS recent ON recent.key = assets.key
     WHERE type = ${type} AND assets.key NOT IN (SELECT key FROM ${pending})`,
  );
  for (const { id, document, size, recent: latest } of rows.iterate()) {
    // Every stored document is an asset.
    const words = wordsOf(index, JSON.parse(String(document)) as Asset);
    const isRight = typeof latest === 'string' ? latest === words : countOf(size) === countWords(words);
    if (!isRight)
      findings.fault('words', `the words of ${label} are not those of the asset`, { id: String(id) });
  }
  const extra = database
    .prepare(
      `SELECT count(*) AS n FROM ${name}_docsize AS stored WHERE id NOT IN (SELECT key FROM ${pending})
       AND id NOT IN (SELECT key FROM ${recent})
       AND NOT EXISTS (SELECT 1 FROM assets WHERE assets.key = stored.id AND type = ${type})`,
    )
    .get();
  const count = Number(extra?.n);
  if (count > 0) findings.fault('words', `there are words of ${label} without an asset`, { count });
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
