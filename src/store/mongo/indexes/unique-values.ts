/**
 * The unique fields of content types, and keys for their values in documents: no two assets have the same key.
 */
import type { Catalog } from '../../../model/content-type.ts';
import { own } from '../documents/document-path.ts';
import { getNested, type NestedObject } from '../documents/nested-names.ts';
import { toFieldIndexes, uniquePathOf } from './field-indexes.ts';

/** A value of a unique field. */
export interface UniqueValue {
  /** The field's path in the model. */
  readonly field: string;
  /** The field's path in documents. */
  readonly path: string;
  readonly value: unknown;
  /** The value as written, which an order key is not. */
  readonly written: unknown;
}

/** The unique fields of all types: those of the catalog, and those that the indexes of other processes keep unique. */
export interface UniqueFields {
  /** Updates the fields of other processes from the names of the existing indexes. */
  update(indexNames: Iterable<string>): void;
  /** Returns the paths of a type's unique fields in documents. */
  pathsOf(type: string): readonly string[];
  /** Finds the values of unique fields in a document of a type, or in a part of it. */
  valuesIn(type: string, values: NestedObject): UniqueValue[];
}

/** Creates the unique fields of a catalog. */
export function createUniqueFields(catalog: Catalog): UniqueFields {
  const ownFields = new Map(
    [...catalog.types.values()].map((type) => [
      type.class,
      toFieldIndexes(type).filter(({ unique }) => unique),
    ]),
  );
  let fields: ReadonlyMap<string, readonly UniquePath[]> = ownFields;
  return {
    update(indexNames) {
      const names = [...indexNames];
      fields = new Map([...ownFields].map(([type, paths]) => [type, withOthers(type, paths, names)]));
    },
    pathsOf: (type) => (fields.get(type) ?? []).map(({ path }) => path),
    valuesIn: (type, values) =>
      (fields.get(type) ?? []).flatMap(({ field, path }) => {
        const value = getNested(values, path);
        if (value === undefined) return [];
        const written = path.startsWith(own.index) ? getNested(values, field) : value;
        return [{ field, path, value, written }];
      }),
  };
}

type UniquePath = Pick<UniqueValue, 'field' | 'path'>;

function withOthers(type: string, own: readonly UniquePath[], indexNames: readonly string[]): UniquePath[] {
  const known = new Set(own.map(({ path }) => path));
  const others = indexNames.flatMap((name) => {
    const path = uniquePathOf(name, type);
    return path === undefined || known.has(path) ? [] : [{ field: toField(path), path }];
  });
  return [...own, ...others];
}

/** Returns the path in the model: MongoDB's path of a reference ends with `_ref`, and that of an order key is beside the field. */
function toField(path: string): string {
  return path.startsWith(`${own.index}.`) ? path.slice(own.index.length + 1) : path.replace(/\._ref$/, '');
}

/** Returns the key of a value of a type's field. */
export const toKey = (type: string, { path, value }: Pick<UniqueValue, 'path' | 'value'>) =>
  JSON.stringify([type, path, value]);
