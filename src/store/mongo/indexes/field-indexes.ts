/**
 * Defines the indexes behind `@indexed` and `@searchable`; `stored-indexes.ts` creates and drops them.
 *
 * Types share an index on the same path. A unique index belongs to one type, since values may repeat between types, and is
 * partial, since any number of assets may have no value. An index name contains the whole definition.
 */
import type { ContentType } from '../../../model/content-type.ts';
import { indexedPaths, searchablePaths } from '../../../model/field-path.ts';
import { toValuePath, toWordsPath } from '../documents/document-path.ts';
import type { NestedObject } from '../documents/nested-names.ts';

/** An index that a content type needs. */
export interface FieldIndex {
  readonly name: string;
  readonly type: string;
  /** The indexed path in the model. */
  readonly field: string;
  /** The indexed path in documents. */
  readonly path: string;
  readonly unique: boolean;
  readonly key: Readonly<Record<string, 1>>;
  readonly partialFilterExpression?: NestedObject;
}

const prefixes = { shared: 'field:', unique: 'unique:', words: 'words:' };

/** Returns the indexes that a type needs. */
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

/** Returns the indexes of words that a type needs, each with the member of an asset that is or contains the field. */
export function toWordIndexes({ class: type, fields }: ContentType): (FieldIndex & { member: string })[] {
  return searchablePaths(fields).map((fieldPath) => {
    const path = toWordsPath(fieldPath);
    const key = { _type: 1, [path]: 1, _id: 1 } as const;
    const member = fieldPath.steps[0]?.name ?? '';
    return { name: prefixes.words + path, member, type, field: fieldPath.text, path, unique: false, key };
  });
}

/** Returns whether an index of this name belongs to a field, of any type. */
export const isFieldIndex = (name: string) =>
  Object.values(prefixes).some((prefix) => name.startsWith(prefix));

/** Returns whether an index of this name is one of words. */
export const isWordIndex = (name: string) => name.startsWith(prefixes.words);

/** Returns the path in documents that an index of this name keeps unique for a type; `undefined` for any other index. */
export function uniquePathOf(name: string, type: string): string | undefined {
  const start = `${prefixes.unique}${type}:`;
  return name.startsWith(start) ? name.slice(start.length) : undefined;
}
