/**
 * Bounds the work of testing one asset on the event loop, which the comparisons of a predicate and the lengths of texts multiply.
 */
import { queryTooCostly } from '../base/errors.ts';

/** The characters that comparisons look through in one asset: some dozens of milliseconds. */
const maxCharacters = 100_000_000;

/** Counts the work of testing assets, one after the other. */
export function createAssetWork() {
  let left = maxCharacters;
  return {
    /** Begins with the next asset. */
    begin() {
      left = maxCharacters;
    },
    /** Counts the characters that a comparison looks through. Errors: query_too_costly. */
    add(characters: number) {
      left -= characters;
      if (left < 0) throw queryTooCostly();
    },
  };
}
