/**
 * The unique fields of content types, and their values in documents as keys: two assets never have the same key.
 */
import type { Catalog } from '../../../model/content-type.ts';
import { getNested, type NestedObject } from '../documents/nested-names.ts';
import { toFieldIndexes, uniquePathOf } from './field-indexes.ts';

/** A value of a unique field. */
export interface UniqueValue {
  /** The field's path as the model has it. */
  readonly field: string;
  /** The field's path in documents. */
  readonly path: string;
  readonly value: unknown;
}

/** Knows the unique fields of all types: those of the catalog, and those that indexes of other processes keep unique as well. */
export interface UniqueFields {
  /** Takes in the names of the indexes that are there. */
  learn(indexNames: Iterable<string>): void;
  /** The paths in documents. */
  pathsOf(type: string): readonly string[];
  /** The values that a document of a type has, or the values of one. */
  valuesIn(type: string, values: NestedObject): UniqueValue[];
}

/** Makes it from the catalog. */
export function createUniqueFields(catalog: Catalog): UniqueFields {
  const own = new Map(
    [...catalog.types.values()].map((type) => [
      type.class,
      toFieldIndexes(type).filter(({ unique }) => unique),
    ]),
  );
  let fields: ReadonlyMap<string, readonly UniquePath[]> = own;
  return {
    learn(indexNames) {
      const names = [...indexNames];
      fields = new Map([...own].map(([type, paths]) => [type, withOthers(type, paths, names)]));
    },
    pathsOf: (type) => (fields.get(type) ?? []).map(({ path }) => path),
    valuesIn: (type, values) =>
      (fields.get(type) ?? []).flatMap(({ field, path }) => {
        const value = getNested(values, path);
        return value === undefined ? [] : [{ field, path, value }];
      }),
  };
}

type UniquePath = Pick<UniqueValue, 'field' | 'path'>;

function withOthers(type: string, own: readonly UniquePath[], indexNames: readonly string[]): UniquePath[] {
  const known = new Set(own.map(({ path }) => path));
  const others = indexNames.flatMap((name) => {
    const path = uniquePathOf(name, type);
    // The model's path leaves out what MongoDB's has for a reference.
    return path === undefined || known.has(path) ? [] : [{ field: path.replace(/\._ref$/, ''), path }];
  });
  return [...own, ...others];
}

/** A text that stands for a value of a type's field. */
export const toKey = (type: string, { path, value }: UniqueValue) => JSON.stringify([type, path, value]);
