/**
 * Translates field paths into MongoDB's paths in the documents that `document.ts` makes.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import { isAnyJson } from '../../../model/values/scalars.ts';

/** Returns the path of the values to compare: a reference's `_ref`, and the text of a JSON value. */
export function toValuePath({ steps, leaf }: FieldPath): string {
  const names = steps.map(({ name }) => name).join('.');
  if (leaf.kind === 'reference') return `${names}._ref`;
  return leaf.kind === 'scalar' && isAnyJson(leaf.scalar) ? `${names}._json` : names;
}

/**
 * Returns the path that exists when the last field is present. An empty list is present. So is a text in a field that has become JSON,
 * which is stored without `_json`.
 */
export function toPresencePath(path: FieldPath): string {
  const { steps, leaf } = path;
  const isSingleReference = leaf.kind === 'reference' && steps.at(-1)?.list !== true;
  return isSingleReference ? toValuePath(path) : steps.map(({ name }) => name).join('.');
}

/** Returns the path of the words of a field's texts. */
export const toWordsPath = ({ steps }: Pick<FieldPath, 'steps'>) =>
  ['_words', ...steps.map(({ name }) => name)].join('.');
