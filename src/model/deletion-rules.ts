/**
 * The references that keep what they name from being deleted, by `@onDelete(action: RESTRICT)`.
 */
import type { ContentType } from './content-type.ts';
import { type FieldPath, indexedPaths } from './field-path.ts';

/** The references of one field of a type. */
export interface DeletionRule {
  /** The class name of the assets that have the references. */
  readonly type: string;
  readonly path: FieldPath;
  /** The class names of what they may name. */
  readonly targets: readonly string[];
}

/** Lists the rules of content types. */
export const listDeletionRules = (types: Iterable<ContentType>): DeletionRule[] =>
  [...types].flatMap(({ class: type, fields }) =>
    indexedPaths(fields).flatMap(({ path, restricts }) =>
      restricts && path.leaf.kind === 'reference' ? [{ type, path, targets: path.leaf.targets }] : [],
    ),
  );
