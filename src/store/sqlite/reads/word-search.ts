/**
 * Compiles comparisons by words to selects from the word index of their field.
 */
import type { BoundPredicate } from '../../../query/ast.ts';
import { prefixOf } from '../../../query/text.ts';
import { toToken } from '../../word-tokens.ts';
import type { StoredType } from '../indexes/field-indexes.ts';
import { indexKey } from '../indexes/field-indexes.ts';
import { allParts, partOf } from '../words/large-words.ts';
import { isExact, toMatchQuery, type WordComparison, type WordIndex } from '../words/word-indexes.ts';
import { sizeChecked } from './compile-path.ts';
import type { ValueCollector } from './value-test.ts';

/** Returns the word index that serves a comparison of a field of the type itself. */
function findWordIndex(predicate: BoundPredicate, type: StoredType): WordIndex | undefined {
  if (predicate.kind !== 'words') return undefined;
  return type.words.get(indexKey(predicate.path));
}

/** Whether a comparison has a word index that finds exactly the matching assets. */
export const hasExactWords = (predicate: BoundPredicate, type: StoredType): boolean =>
  predicate.kind === 'words' && isExact(predicate) && findWordIndex(predicate, type) !== undefined;

/**
 * Compiles the select of the keys of all matching assets, each once; `undefined` without an index. It looks through the recent words
 * and those of large texts, and tests the assets whose words are not up to date. Unless `isExact`, it finds other assets too.
 */
export function selectByWords(
  comparison: WordComparison,
  { type, collect }: { type: StoredType; collect: ValueCollector },
): string | undefined {
  const index = findWordIndex(comparison, type);
  if (!index) return undefined;
  const { name, pending, recent, large } = index;
  const query = collect.add(toMatchQuery(comparison));
  const test = collect.addTest(comparison);
  const isRecent =
    comparison.words.length <= maxRecentWords ? testRecent(comparison, collect) : `holds(key, ${test})`;
  return `SELECT rowid AS key FROM ${name} WHERE ${name} MATCH ${query}
      AND rowid NOT IN (SELECT key FROM ${pending}) AND rowid NOT IN (SELECT key FROM ${recent})
    UNION ALL SELECT key FROM ${recent} WHERE words <> '' AND ${sizeChecked('words')}
      AND key NOT IN (SELECT key FROM ${pending}) AND ${isRecent}
    UNION ALL SELECT key FROM ${large} WHERE part = 0
      AND key NOT IN (SELECT key FROM ${pending}) AND key NOT IN (SELECT key FROM ${recent})
      AND ${testLarge(comparison, { large, collect })}
    UNION ALL SELECT assets.key FROM ${pending} CROSS JOIN assets ON assets.key = ${pending}.key
    WHERE type = ${type.number} AND holds(assets.key, ${test})`;
}

/** More words are looked for faster in the documents, which are split once for all of them. */
const maxRecentWords = 8;

/** Compiles the condition that the recent words of an asset have any, or all, of the words of a comparison. */
function testRecent({ words, all }: WordComparison, { add }: ValueCollector): string {
  const tests = words.map((word) => `instr(words, ${add(toSearched(word))})`);
  return `(${tests.join(all ? ' AND ' : ' OR ')})`;
}

/** Returns what occurs among tokens between blanks when these have a searched word. */
function toSearched(word: string): string {
  const prefix = prefixOf(word);
  return prefix === undefined ? ` ${toToken(word)} ` : ` ${prefix}`;
}

/** Compiles the condition that the parts of the words of an asset have any, or all, of the words of a comparison. */
function testLarge(
  { words, all }: WordComparison,
  { large, collect }: { large: string; collect: ValueCollector },
): string {
  // Only the hash of a whole token names its part.
  const tokens = words.map((word) => {
    const parts = prefixOf(word) === undefined ? [partOf(toToken(word))] : allParts;
    return [JSON.stringify(parts), toSearched(word)];
  });
  const has = `EXISTS (SELECT 1 FROM json_each(word.value ->> 0) AS part CROSS JOIN ${large} AS own
    ON own.part = part.value AND own.key = ${large}.key WHERE ${sizeChecked('own.words')} AND instr(own.words, word.value ->> 1))`;
  const listed = `SELECT 1 FROM json_each(${collect.add(JSON.stringify(tokens))}) AS word WHERE`;
  return all ? `NOT EXISTS (${listed} NOT ${has})` : `EXISTS (${listed} ${has})`;
}

/** Compiles the condition that an asset matches; `undefined` without an index. */
export function matchesWords(
  comparison: WordComparison,
  scope: { type: StoredType; collect: ValueCollector },
): string | undefined {
  const select = selectByWords(comparison, scope);
  if (select === undefined) return undefined;
  const found = `key IN (${select})`;
  return isExact(comparison) ? found : `(${found} AND holds(key, ${scope.collect.addTest(comparison)}))`;
}
