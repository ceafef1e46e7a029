/**
 * The words as the indexes behind `@searchable` keep them. `query/text.ts` splits and folds texts into words.
 */
import { hash } from 'node:crypto';
import { longestPrefix } from '../query/text.ts';

/**
 * The number of the rules by which texts become tokens: those of `toWords` in `query/text.ts`, and of `toToken`. Raise it when one of
 * them changes: a store records the number with its words, and a process that serves it with another number makes the words anew.
 */
export const wordRules = 3;

/**
 * Returns what an index keeps of a word: the word, or the start and the hash of a long one, because the keys of an index should be short.
 * A token has only letters, marks and digits, so no index splits it. That of a long word is longer than any other, and begins with each
 * prefix that searches compare.
 */
export function toToken(word: string): string {
  if (word.length <= longestPrefix) return word;
  const characters = Array.from(word);
  if (characters.length <= longestPrefix) return word;
  return `${characters.slice(0, longestPrefix).join('')}${hash('sha256', word)}`;
}
