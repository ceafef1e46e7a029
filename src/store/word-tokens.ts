/**
 * The words as the indexes behind `@searchable` keep them. `query/text.ts` splits and folds texts into words.
 */
import { hash } from 'node:crypto';

/**
 * The number of the rules by which texts become tokens: those of `toWords` in `query/text.ts`, and of `toToken`. Raise it when one of
 * them changes: a store records the number with its words, and a process that serves it with another number makes the words anew.
 */
export const wordRules = 2;

const longestWord = 64;

/**
 * Returns what an index keeps of a word: the word, or the hash of a long one, because the keys of an index should be short. A token
 * has only letters, marks and digits, so no index splits it. That of a long word has 65 characters, so it is never another word.
 */
export function toToken(word: string): string {
  return word.length <= longestWord ? word : `h${hash('sha256', word)}`;
}
