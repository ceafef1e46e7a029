/**
 * The keys of content types, and their values in documents: no two assets have the same values in a key.
 */
import { type Catalog, siteOwnerField } from '../../../model/content-type.ts';
import { own } from '../documents/document-path.ts';
import { getNested, type NestedObject } from '../documents/nested-names.ts';
import { toFieldIndexes, uniquePathsOf } from './field-indexes.ts';

/** A unique field, or several fields that are unique together. */
export interface DocumentKey {
  /** The paths of the fields in the model, with commas between them. */
  readonly field: string;
  readonly parts: readonly KeyPart[];
}

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
      toFieldIndexes(type).flatMap(({ unique, paths }) => (unique ? [toDocumentKey(paths)] : [])),
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
  };
}

function withOthers(type: string, own: readonly DocumentKey[], indexNames: readonly string[]): DocumentKey[] {
  const known = new Set(own.map(({ field }) => field));
  const others = indexNames.flatMap((name) => {
    const paths = uniquePathsOf(name, type);
    return paths ? [toDocumentKey(paths)] : [];
  });
  return [...own, ...others.filter(({ field }) => !known.has(field))];
}

/** Returns the key of some paths in documents. */
export function toDocumentKey(paths: readonly string[]): DocumentKey {
  const parts = paths.map((path) => {
    const field = toField(path);
    return { field, path, isOptional: paths.length > 1 && field === siteOwnerField };
  });
  return { field: parts.map(({ field }) => field).join(','), parts };
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
export const readWritten = ({ parts }: DocumentKey, read: ReadValue): string =>
  parts
    .map(({ path, field }) => read(path.startsWith(own.index) ? field : path, field) ?? 'global')
    .join(', ');

/** Returns the function that reads values of a whole document. */
export const readerOf =
  (document: NestedObject): ReadValue =>
  (path) =>
    getNested(document, path);

/** Tells whether a field is one of some members of an asset, or inside one. */
export const isIn = (members: readonly string[], field: string) =>
  members.some((name) => field === name || field.startsWith(`${name}.`));

/** Returns the text of the values of a type's key: equal only for equal values. */
export const toKeyText = (type: string, { field }: DocumentKey, values: readonly unknown[]) =>
  JSON.stringify([type, field, ...values]);

export const keyTextsIn = (keys: readonly DocumentKey[], type: string, document: NestedObject): string[] =>
  keys.flatMap((key) => {
    const values = readValues(key, readerOf(document));
    return values ? [toKeyText(type, key, values)] : [];
  });
