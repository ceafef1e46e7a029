/**
 * Completes a predicate at the caret.
 */
import type { ContentType } from 'colophon-client/admin';
import { suggest } from './suggest.ts';

/** A completion: its word, the whole predicate with it, and where the caret then is. */
export interface Completion {
  readonly word: string;
  readonly text: string;
  readonly caret: number;
}

/** Lists how a predicate can go on at the caret. A word around the caret is replaced as a whole; before a word nothing is listed. */
export function complete(type: ContentType, where: string, caret: number): Completion[] {
  const before = where.slice(0, caret);
  const after = where.slice(caret);
  const rest = after.replace(/^[\p{L}\p{M}\p{N}_.]+/u, '');
  if (rest !== after && !/[\p{L}\p{M}\p{N}_.]$/u.test(before)) return [];
  return suggest(type, before).map(({ word, text }) => ({
    word,
    text: text + rest.replace(/^ /, ''),
    caret: text.length,
  }));
}
