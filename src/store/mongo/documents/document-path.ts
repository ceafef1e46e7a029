/**
 * Translates field paths into MongoDB's paths in the documents that `document.ts` makes.
 */
import type { FieldPath } from '../../../model/field-path.ts';

/** Returns the path of the values to compare: a reference's `_ref`, and the text of a JSON value. */
export function toValuePath({ steps, leaf }: FieldPath): string {
  const names = steps.map(({ name }) => name).join('.');
  if (leaf.kind === 'reference') return `${names}._ref`;
  return leaf.kind === 'scalar' && leaf.scalar === 'JSON' ? `${names}._json` : names;
}

/** Returns the path that exists when the last field is present. An empty list is present, a JSON null is not. */
export function toPresencePath(path: FieldPath): string {
  const isList = path.steps.at(-1)?.list === true;
  return isList ? path.steps.map(({ name }) => name).join('.') : toValuePath(path);
}

/** Returns the path of the words of a field's texts. */
export const toWordsPath = ({ steps }: Pick<FieldPath, 'steps'>) =>
  ['_words', ...steps.map(({ name }) => name)].join('.');
