/**
 * The keys of content types, and their values in documents: no two assets have the same values in a key. The values of a key with a
 * condition are one text in a derived member, which only documents have whose assets meet the condition.
 */
import { type Asset, type Catalog, siteOwnerField } from '../../../model/content-type.ts';
import { type ConditionalPaths, keyName } from '../../../model/field-path.ts';
import { readCondition } from '../../../query/conditions.ts';
import { findKeyValues, type KeyValues, writeKey } from '../../../query/unique-values.ts';
import { own } from '../documents/document-path.ts';
import { getNested, type NestedObject } from '../documents/nested-names.ts';
import { type FieldIndex, keyAmongOf, toFieldIndexes, uniquePathsOf } from './field-indexes.ts';

/** A unique field, or several fields that are unique together. */
export interface DocumentKey {
  /** The paths of the fields in the model, with commas between them. */
  readonly field: string;
  readonly parts: readonly KeyPart[];
  /** The fields of the model that decide on the values. */
  readonly members: readonly string[];
  /** Derives the values of an asset and writes them as clients do; absent for a key without a condition. */
  readonly among?: DerivedKey;
}

/** A key with a condition: its value in documents is one text. */
interface DerivedKey {
  /** Returns the text, `undefined` if the asset does not have the key. */
  readonly derive: (asset: Asset) => string | undefined;
  readonly write: (text: string) => string;
}

/** A key with a condition, and the path of its text in documents. */
export type KeyAmong = DocumentKey & { readonly among: DerivedKey; readonly path: string };

/** One field of a key: its path in the model and in documents. */
export interface KeyPart {
  readonly field: string;
  readonly path: string;
  /** Whether an asset without a value may have the key. */
  readonly isOptional: boolean;
}

/** Returns a value of a document by its path, given with the field that it belongs to. */
export type ReadValue = (path: string, field: string) => unknown;

/** The keys of all types: those of the catalog, and those that the indexes of other processes keep unique. */
export type UniqueFields = ReturnType<typeof createUniqueFields>;

/** Creates the keys of a catalog. */
export function createUniqueFields(catalog: Catalog) {
  const ownKeys = new Map(
    [...catalog.types.values()].map((type) => [
      type.class,
      toFieldIndexes(type).flatMap((index) => (index.unique ? [keyOfIndex(index)] : [])),
    ]),
  );
  let keys: ReadonlyMap<string, readonly DocumentKey[]> = ownKeys;
  return {
    /** Updates the keys of other processes from the names of the existing indexes. */
    update(indexNames: Iterable<string>) {
      const names = [...indexNames];
      keys = new Map([...ownKeys].map(([type, known]) => [type, withOthers(type, known, names)]));
    },
    /** Lists the keys of a type. */
    keysOf: (type: string) => keys.get(type) ?? [],
    /** Lists the keys with a condition of a type, or those whose values may change with some members. */
    keysAmong: (type: string, members?: readonly string[]): readonly KeyAmong[] =>
      (keys.get(type) ?? []).filter(isAmong).filter((key) => !members || dependsOn(key, members)),
  };
}

const isAmong = (key: DocumentKey): key is KeyAmong => key.among !== undefined;

/** Tells whether the values of a key may change with some members of an asset. */
export const dependsOn = (key: DocumentKey, members: readonly string[]): boolean =>
  key.members.some((field) => isIn(members, field));

/** Returns the key that a unique index keeps. */
export const keyOfIndex = ({
  name,
  type,
  paths,
}: Pick<FieldIndex, 'name' | 'type' | 'paths'>): DocumentKey => {
  const found = keyAmongOf(name, type);
  return found ? toKeyAmong(found.key, found.path) : toDocumentKey(paths);
};

/** Returns the key with a condition whose text is at a path in documents. */
function toKeyAmong({ paths, condition }: ConditionalPaths, path: string): KeyAmong {
  const { holds, members } = readCondition(condition);
  const field = keyName(paths);
  return {
    field,
    path,
    parts: [{ field, path, isOptional: false }],
    members: [...paths.map(({ text }) => text), ...members],
    among: {
      derive(asset) {
        const values = findKeyValues(asset, paths);
        return values && holds(asset) ? JSON.stringify(values) : undefined;
      },
      write(text) {
        // `derive` wrote it; null stands for the global site.
        const values = JSON.parse(text) as (KeyValues[number] | null)[];
        return writeKey({ paths, values: values.map((value) => value ?? undefined) });
      },
    },
  };
}

function withOthers(type: string, own: readonly DocumentKey[], indexNames: readonly string[]): DocumentKey[] {
  const known = new Set(own.map(pathsOf));
  const others = indexNames.flatMap((name) => {
    const found = keyAmongOf(name, type);
    if (found) return [toKeyAmong(found.key, found.path)];
    const paths = uniquePathsOf(name, type);
    return paths ? [toDocumentKey(paths)] : [];
  });
  return [...own, ...others.filter((key) => !known.has(pathsOf(key)))];
}

const pathsOf = ({ parts }: DocumentKey) => parts.map(({ path }) => path).join();

/** Returns the key of some paths in documents. */
function toDocumentKey(paths: readonly string[]): DocumentKey {
  const parts = paths.map((path) => {
    const field = toField(path);
    return { field, path, isOptional: paths.length > 1 && field === siteOwnerField };
  });
  const members = parts.map(({ field }) => field);
  return { field: members.join(','), parts, members };
}

/** Returns the path in the model: MongoDB's path of a reference ends with `_ref`, and that of an order key is beside the field. */
function toField(path: string): string {
  return path.startsWith(`${own.index}.`) ? path.slice(own.index.length + 1) : path.replace(/\._ref$/, '');
}

/** Reads the values of a key; `undefined` if the document does not have it. */
export function readValues({ parts }: DocumentKey, read: ReadValue): unknown[] | undefined {
  const values = parts.map(({ path, field }) => read(path, field));
  return values.every((value, n) => value !== undefined || parts[n]?.isOptional) ? values : undefined;
}

/** Reads the values of a key as they were written, which order keys are not. */
export function readWritten({ parts, among }: DocumentKey, read: ReadValue): string {
  const values = parts.map(({ path, field }) => {
    if (among) return among.write(String(read(path, field)));
    return read(path.startsWith(own.index) ? field : path, field) ?? 'global';
  });
  return values.join(', ');
}

/** Returns the function that reads values of a whole document. */
export const readerOf =
  (document: NestedObject): ReadValue =>
  (path) =>
    getNested(document, path);

/** Tells whether a field is one of some members of an asset, or inside one. */
export const isIn = (members: readonly string[], field: string) =>
  members.some((name) => field === name || field.startsWith(`${name}.`));

/** Returns the text of the values of a type's key: equal only for equal values. */
export const toKeyText = (type: string, key: DocumentKey, values: readonly unknown[]) =>
  JSON.stringify([type, pathsOf(key), ...values]);

export const keyTextsIn = (keys: readonly DocumentKey[], type: string, document: NestedObject): string[] =>
  keys.flatMap((key) => {
    const values = readValues(key, readerOf(document));
    return values ? [toKeyText(type, key, values)] : [];
  });
