/**
 * Unique fields of content types, and the keys of their values: no two assets have the same key.
 */
import type { Asset, ContentType, Json } from '../model/content-type.ts';
import { type FieldPath, indexedPaths } from '../model/field-path.ts';
import type { BoundValue } from './ast.ts';
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

/** Returns the keys of an asset's values at these paths. */
export function uniqueKeysAt(
  paths: readonly FieldPath[],
  type: string,
  values: Readonly<Record<string, Json>>,
): UniqueKey[] {
  const asset: Asset = { ...values, _id: '', _type: type };
  return paths.flatMap((path) =>
    findValues(asset, path).map((value) => ({
      type,
      path,
      value,
      text: JSON.stringify([type, path.text, value]),
    })),
  );
}
