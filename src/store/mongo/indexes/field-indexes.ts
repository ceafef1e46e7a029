/**
 * Defines the indexes behind `@indexed` and `@searchable`; `stored-indexes.ts` creates and drops them.
 *
 * Types share an index on the same path. A unique index belongs to one type, since values may repeat between types, and is
 * partial, since any number of assets may have no value. An index name contains the whole definition. A key with a condition has an
 * index over a member that writers derive, since the filter of an index knows neither negation nor parts of texts.
 */
import { createHash } from 'node:crypto';
import type { ContentType } from '../../../model/content-type.ts';
import {
  type ConditionalPaths,
  conditionalKeysOf,
  type FieldPath,
  indexedPaths,
  type KeyPaths,
  keyName,
  keysOfType,
  searchablePaths,
} from '../../../model/field-path.ts';
import { readConditionalKey, writeConditionalKey } from '../../../query/conditions.ts';
import { orderKeyVersion } from '../../../query/sort.ts';
import { isOptionalInKey } from '../../../query/unique-values.ts';
import { own, toValuePath, toWordsPath } from '../documents/document-path.ts';
import type { NestedObject } from '../documents/nested-names.ts';

/** An index that a content type needs. */
export interface FieldIndex {
  readonly name: string;
  readonly type: string;
  /** The indexed paths in the model, with commas between them. */
  readonly field: string;
  /** The indexed paths in documents: several for fields that are unique together. */
  readonly paths: readonly string[];
  readonly unique: boolean;
  readonly key: Readonly<Record<string, 1>>;
  readonly partialFilterExpression?: NestedObject;
  /** Whether it is one of a key with a condition. */
  readonly isAmong?: true;
}

const prefixes = { shared: 'field:', unique: 'unique:', words: 'words:', among: 'among:' };

/** Returns the indexes that a type needs. */
export function toFieldIndexes(type: ContentType): FieldIndex[] {
  const shared = indexedPaths(type.fields).flatMap(({ path, unique }) => (unique ? [] : [path]));
  return [
    ...shared.map((path) => toSharedIndex(type.class, path)),
    ...keysOfType(type).map((paths) => toUniqueIndex(type.class, paths)),
    ...conditionalKeysOf(type).map((key) => toIndexAmong(type.class, key)),
  ];
}

function toSharedIndex(type: string, fieldPath: FieldPath): FieldIndex {
  const path = toValuePath(fieldPath);
  const key = { _type: 1, [path]: 1, _id: 1 } as const;
  return { name: prefixes.shared + path, type, field: fieldPath.text, paths: [path], unique: false, key };
}

function toUniqueIndex(type: string, keyPaths: KeyPaths): FieldIndex {
  const paths = keyPaths.map(toValuePath);
  const needed = keyPaths.filter((path) => !isOptionalInKey(keyPaths, path)).map(toValuePath);
  return {
    name: `${prefixes.unique}${type}:${paths.join(',')}`,
    type,
    field: keyName(keyPaths),
    paths,
    unique: true,
    key: Object.fromEntries(paths.map((path) => [path, 1] as const)),
    partialFilterExpression: {
      _type: type,
      ...Object.fromEntries(needed.map((path) => [path, { $exists: true }])),
    },
  };
}

function toIndexAmong(type: string, key: ConditionalPaths): FieldIndex {
  const definition = `${orderKeyVersion} ${writeConditionalKey(key)}`;
  const member = derivedMember(definition);
  return {
    name: `${prefixes.among}${type}:${definition}`,
    type,
    field: keyName(key.paths),
    paths: [member],
    unique: true,
    key: { [member]: 1 },
    partialFilterExpression: { _type: type, [member]: { $exists: true } },
    isAmong: true,
  };
}

/** Returns the path in documents of the values of a key with a condition. */
const derivedMember = (definition: string) =>
  `${own.keys}.${createHash('sha256').update(definition).digest('hex').slice(0, 16)}`;

/** Returns whether an index of this name is one of a key with a condition. */
export const isIndexAmong = (name: string) => name.startsWith(prefixes.among);

/** Returns the key that an index of this name keeps among assets of a type that meet a condition, and its path in documents. */
export function keyAmongOf(
  name: string,
  type: string,
): { readonly key: ConditionalPaths; readonly path: string } | undefined {
  const start = `${prefixes.among}${type}:`;
  if (!name.startsWith(start)) return undefined;
  const definition = name.slice(start.length);
  const key = readConditionalKey(definition.slice(definition.indexOf(' ') + 1));
  return { key, path: derivedMember(definition) };
}

/** Returns the indexes of words that a type needs, each with the member of an asset that is or contains the field. */
export function toWordIndexes({ class: type, fields }: ContentType): (FieldIndex & { member: string })[] {
  return searchablePaths(fields).map((fieldPath) => {
    const path = toWordsPath(fieldPath);
    const key = { _type: 1, [path]: 1, _id: 1 } as const;
    const member = fieldPath.steps[0]?.name ?? '';
    const index = { type, field: fieldPath.text, paths: [path], unique: false, key };
    return { name: prefixes.words + path, member, ...index };
  });
}

/** Returns whether an index of this name belongs to a field, of any type. */
export const isFieldIndex = (name: string) =>
  Object.values(prefixes).some((prefix) => name.startsWith(prefix));

/** Returns whether an index of this name is one of words. */
export const isWordIndex = (name: string) => name.startsWith(prefixes.words);

/** Returns the paths in documents that an index of this name keeps unique for a type; `undefined` for any other index. */
export function uniquePathsOf(name: string, type: string): readonly string[] | undefined {
  const start = `${prefixes.unique}${type}:`;
  return name.startsWith(start) ? name.slice(start.length).split(',') : undefined;
}
