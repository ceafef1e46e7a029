/**
 * Translates field paths into MongoDB's paths in the documents that `document.ts` makes.
 */
import type { FieldPath } from '../../../model/field-path.ts';
import { isAnyJson } from '../../../model/values/scalars.ts';
import { textOrderOf } from '../../../query/operators.ts';

/** The paths of Colophon's own members of a document. */
export const own = {
  version: '_colophon.version',
  names: '_colophon.names',
  index: '_colophon.index',
  change: '_colophon.change',
  keys: '_colophon.keys',
  /** That of no document and no embedded value. */
  absent: '_colophon.absent',
} as const;

/** Reads documents without their words and order keys, which are as large as the texts. */
export const withoutIndex = { [own.index]: 0 } as const;

/** Returns the path of a field as a whole. */
export const toPath = ({ steps }: Pick<FieldPath, 'steps'>): string =>
  steps.map(({ name }) => name).join('.');

/** Returns the path of the values to compare: a reference's `_ref`, the order key of a text that has one, the text of a JSON value. */
export function toValuePath({ steps, leaf }: FieldPath): string {
  const names = toPath({ steps });
  if (leaf.kind === 'reference') return `${names}._ref`;
  if (textOrderOf(leaf)) return `${own.index}.${names}`;
  return leaf.kind === 'scalar' && isAnyJson(leaf.scalar) ? `${names}._colophon` : names;
}

/**
 * Returns the path that exists when the last field is present. An empty list is present. So is a text in a field that has become JSON,
 * which is stored without `_colophon`.
 */
export function toPresencePath(path: FieldPath): string {
  const { steps, leaf } = path;
  const isSingleReference = leaf.kind === 'reference' && steps.at(-1)?.list !== true;
  return isSingleReference ? toValuePath(path) : toPath({ steps });
}

/** Returns the path of the words of a field's texts. */
export const toWordsPath = ({ steps }: Pick<FieldPath, 'steps'>) =>
  [own.index, ...steps.map(({ name }) => name)].join('.');

/** Returns the paths of the lists that contain the values to compare. */
export const toListPaths = ({ steps, leaf }: FieldPath): string[] =>
  steps.flatMap(({ list }, n) => {
    const names = steps.slice(0, n + 1).map(({ name }) => name);
    return list ? [[...(textOrderOf(leaf) ? [own.index] : []), ...names].join('.')] : [];
  });
