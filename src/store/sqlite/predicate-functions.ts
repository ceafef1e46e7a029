/**
 * The SQL functions that compiled predicates call, so that case and words mean what they mean everywhere.
 */
import type { DatabaseSync } from 'node:sqlite';
import { foldCase, toWords } from '../../query/text.ts';

/**
 * Defines `fold(text)` and `has_words(text, words, all, rich)` on a connection.
 *
 * Shapes: `words` is a JSON array, `all` and `rich` are 0 or 1; what is no text folds to NULL and has no words.
 */
export function definePredicateFunctions(database: DatabaseSync): void {
  const options = { deterministic: true };
  database.function('fold', options, (text) => (typeof text === 'string' ? foldCase(text) : null));
  // One statement asks row after row for the same words.
  let wanted = { json: '[]', words: [] as readonly string[] };
  database.function('has_words', options, (text, json, all, rich) => {
    if (typeof text !== 'string' || typeof json !== 'string') return 0;
    if (json !== wanted.json) wanted = { json, words: JSON.parse(json) };
    const words = new Set(toWords(text, { richText: rich === 1 }));
    const isThere = (word: string) => words.has(word);
    return Number(all === 1 ? wanted.words.every(isThere) : wanted.words.some(isThere));
  });
}
