/**
 * Unique fields of content types, and the keys of their values: no two assets have the same key.
 */
import type { Asset, Catalog, ContentType } from '../model/content-type.ts';
import { type FieldPath, indexedPaths } from '../model/field-path.ts';
import type { BoundValue } from './ast.ts';
import { toWrittenValue } from './order-keys.ts';
import { findValues } from './path-values.ts';

/** A value of a unique field, which at most one asset of the type has. */
export interface UniqueKey {
  /** A class name. */
  readonly type: string;
  readonly path: FieldPath;
  readonly value: BoundValue;
  /** The key as text: equal only for equal keys. */
  readonly text: string;
}

/** Returns the paths of a type's unique fields, including those in embedded values. */
export function uniquePaths({ fields }: ContentType): FieldPath[] {
  return indexedPaths(fields).flatMap(({ path, unique }) => (unique ? [path] : []));
}

/** Writes the value of a key as clients do. */
export const writeKey = ({ path, value }: UniqueKey): BoundValue => toWrittenValue(path, value);

/** Returns the key of a value. */
export const toUniqueKey = (type: string, path: FieldPath, value: BoundValue): UniqueKey => ({
  type,
  path,
  value,
  text: JSON.stringify([type, path.text, value]),
});

/** Returns the keys of an asset's values at these paths of a type. */
export const uniqueKeysAt = (paths: readonly FieldPath[], type: string, asset: Asset): UniqueKey[] =>
  paths.flatMap((path) => findValues(asset, path).map((value) => toUniqueKey(type, path, value)));

/** Returns the keys of the unique values of an asset. */
export type KeysOf = (asset: Asset) => readonly UniqueKey[];

/** Creates the function for the types of a catalog. */
export function createKeysOf(catalog: Catalog): KeysOf {
  const paths = new Map([...catalog.types.values()].map((type) => [type.class, uniquePaths(type)]));
  return (asset) => uniqueKeysAt(paths.get(asset._type) ?? [], asset._type, asset);
}

/** The most values that one search looks up. */
const valuesAtOnce = 1_000;

/** Makes the searches for the assets that have these keys: one for each unique field, or several if its values are many. */
export function* holderSearches(keys: readonly UniqueKey[]) {
  const byField = Map.groupBy(keys, ({ type, path }) => `${type} ${path.text}`);
  for (const [first, ...others] of byField.values()) {
    if (!first) continue;
    const { type, path } = first;
    const all = [...new Set([first, ...others].map(({ value }) => value))];
    for (let start = 0; start < all.length; start += valuesAtOnce) {
      const values = all.slice(start, start + valuesAtOnce);
      const where = { kind: 'equals', path, values, ignoreCase: false } as const;
      yield { types: [type], where, offset: 0, limit: values.length, withCount: false };
    }
  }
}
