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

/** The completion of the word that is being typed before the caret; undefined where none is begun, or it is whole. */
export function completionOfWord(
  completions: readonly Completion[],
  where: string,
  caret: number,
): Completion | undefined {
  const [typed = ''] = /[\p{L}\p{M}\p{N}_.]*$/u.exec(where.slice(0, caret)) ?? [];
  const isWhole = completions.some(({ word }) => word.toLowerCase() === typed.toLowerCase());
  return typed === '' || isWhole ? undefined : completions[0];
}

/**
 * Whether a mistake at a column, which counts code points from 1, may be that of a word which is still being typed: it is in the word
 * that ends at the caret, or behind it.
 */
export function isBeingTyped(where: string, caret: number, column: number): boolean {
  const before = where.slice(0, caret);
  const begin = before.replace(/[\p{L}\p{M}\p{N}_.'"[(]*$/u, '');
  return caret >= where.trimEnd().length && column > [...begin].length;
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
