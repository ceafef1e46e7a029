/**
 * The indexes behind `@indexed`, as definitions; making and dropping them is `stored-indexes.ts`.
 *
 * Types share an index on the same path. A unique one is its type's own, since values may repeat between types, and is
 * partial: any number of assets may have no value. Names say all that the definition says.
 */
import type { ContentType } from '../../../model/content-type.ts';
import { indexedPaths } from '../../../model/field-path.ts';
import { toValuePath } from '../documents/document-path.ts';
import type { NestedObject } from '../documents/nested-names.ts';

/** An index that a content type wants. */
export interface FieldIndex {
  readonly name: string;
  readonly type: string;
  /** The indexed path as the model has it. */
  readonly field: string;
  /** The indexed path in documents. */
  readonly path: string;
  readonly unique: boolean;
  readonly key: Readonly<Record<string, 1>>;
  readonly partialFilterExpression?: NestedObject;
}

const prefixes = { shared: 'field:', unique: 'unique:' };

/** The indexes that a type wants. */
export function toFieldIndexes({ class: type, fields }: ContentType): FieldIndex[] {
  return indexedPaths(fields).map(({ path: { text: field, ...rest }, unique }) => {
    const path = toValuePath({ text: field, ...rest });
    const index = { type, field, path, unique };
    if (!unique) return { ...index, name: prefixes.shared + path, key: { _type: 1, [path]: 1, _id: 1 } };
    return {
      ...index,
      name: `${prefixes.unique}${type}:${path}`,
      key: { [path]: 1 },
      partialFilterExpression: { _type: type, [path]: { $exists: true } },
    };
  });
}

/** Whether an index of this name is one of these, of whatever type. */
export const isFieldIndex = (name: string) =>
  name.startsWith(prefixes.shared) || name.startsWith(prefixes.unique);

/** The path in documents that a unique index of this name keeps unique for assets of a type. */
export function uniquePathOf(name: string, type: string): string | undefined {
  const start = `${prefixes.unique}${type}:`;
  return name.startsWith(start) ? name.slice(start.length) : undefined;
}
