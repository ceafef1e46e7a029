/**
 * The words as the indexes behind `@searchable` keep them. `query/text.ts` splits and folds texts into words.
 */
import { createHash } from 'node:crypto';

/** The version of the rules of `query/text.ts`; raise it when they change, so that the stored words are computed again. */
export const wordRules = 1;

const longestWord = 64;

/**
 * Returns what an index keeps of a word: the word, or the hash of a long one, because the keys of an index should be short. The
 * hash begins with a character that no word contains.
 */
export function toToken(word: string): string {
  return word.length <= longestWord ? word : `§${createHash('sha256').update(word).digest('base64url')}`;
}
