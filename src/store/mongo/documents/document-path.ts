/**
 * Field paths as MongoDB's own paths into the documents that `document.ts` makes.
 */
import type { FieldPath } from '../../../model/field-path.ts';

/** Leads to the values that comparisons compare; a reference's is its `_ref`, and JSON has its text. */
export function toValuePath({ steps, leaf }: FieldPath): string {
  const names = steps.map(({ name }) => name).join('.');
  if (leaf.kind === 'reference') return `${names}._ref`;
  return leaf.kind === 'scalar' && leaf.scalar === 'JSON' ? `${names}._json` : names;
}

/** Exists where the last field is present. An empty list is present, and a JSON null is not. */
export function toPresencePath(path: FieldPath): string {
  const isList = path.steps.at(-1)?.list === true;
  return isList ? path.steps.map(({ name }) => name).join('.') : toValuePath(path);
}

/** Leads to the words of a path's texts. */
export const toWordsPath = ({ steps }: FieldPath) => ['_words', ...steps.map(({ name }) => name)].join('.');
