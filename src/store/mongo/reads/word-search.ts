/**
 * Compiles comparisons by words to filters on `_words`. Each finds both forms of words: the listed ones of a searchable field, for
 * which there may be an index, and strings of words; see `indexes/word-index.ts`.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundComparison } from '../../../query/ast.ts';
import { toToken } from '../../word-tokens.ts';
import { toWordsPath } from '../documents/document-path.ts';
import { itemStart } from '../indexes/word-index.ts';
import { toWordPattern } from './text-pattern.ts';

type WordComparison = Extract<BoundComparison, { kind: 'words' }>;

/** Compiles a comparison of a field of the asset itself. */
export function searchWords({ path, words, all }: WordComparison): Readonly<Record<string, unknown>> {
  const field = toWordsPath(path);
  const isAll = all && words.length > 1;
  const listed = isAll ? hasAll(path, words) : { [field]: { $in: words.map(toToken) } };
  return { $or: [listed, { [field]: toWordPattern(words, { all: isAll }) }] };
}

/** Compiles a search for all words in one value of a path. */
function hasAll({ steps }: FieldPath, words: readonly string[]): Readonly<Record<string, unknown>> {
  const tokens = { $all: words.map(toToken) };
  const lastList = steps.findLastIndex(({ list }) => list);
  if (lastList === steps.length - 1) {
    const field = toWordsPath({ steps });
    return {
      $and: [{ [field]: tokens }, { [field]: toWordPattern(words, { all: true, start: itemStart }) }],
    };
  }
  if (lastList < 0) return { [toWordsPath({ steps })]: tokens };
  const [outer, inner] = [steps.slice(0, lastList + 1), steps.slice(lastList + 1)];
  const rest = inner.map(({ name }) => name).join('.');
  return { [toWordsPath({ steps: outer })]: { $elemMatch: { [rest]: tokens } } };
}
