/**
 * The unique fields of content types, and their values in documents as keys: two assets never have the same key.
 */
import type { Catalog } from '../../model/content-type.ts';
import { toFieldIndexes } from './field-indexes.ts';
import { getNested, type NestedObject } from './nested-names.ts';

/** A value of a unique field. */
export interface UniqueValue {
  /** The field's path as the model has it. */
  readonly field: string;
  /** The field's path in documents. */
  readonly path: string;
  readonly value: unknown;
}

/** Knows the unique fields of all types. */
export interface UniqueFields {
  /** The paths in documents. */
  pathsOf(type: string): readonly string[];
  /** The values that a document of a type has, or the values of one. */
  valuesIn(type: string, values: NestedObject): UniqueValue[];
}

/** Makes it from the catalog. */
export function createUniqueFields(catalog: Catalog): UniqueFields {
  const fields = new Map(
    [...catalog.types.values()].map((type) => [
      type.class,
      toFieldIndexes(type).filter(({ unique }) => unique),
    ]),
  );
  return {
    pathsOf: (type) => (fields.get(type) ?? []).map(({ path }) => path),
    valuesIn: (type, values) =>
      (fields.get(type) ?? []).flatMap(({ field, path }) => {
        const value = getNested(values, path);
        return value === undefined ? [] : [{ field, path, value }];
      }),
  };
}

/** A text that stands for a value of a type's field. */
export const toKey = (type: string, { path, value }: UniqueValue) => JSON.stringify([type, path, value]);
