/**
 * The unique fields of a content type, and the keys that the values of an asset are in them: two assets never have the same key.
 */
import type { Asset, ContentType, Json } from '../model/content-type.ts';
import { type FieldPath, indexedPaths } from '../model/field-path.ts';
import type { BoundValue } from './ast.ts';
import { findValues } from './evaluate.ts';

/** A value of a unique field: one asset of the type has it at most. */
export interface UniqueKey {
  /** A class name. */
  readonly type: string;
  readonly path: FieldPath;
  readonly value: BoundValue;
  /** The same for the same key, and for no other. */
  readonly text: string;
}

/** The paths of a type's unique fields, those inside embedded values among them. */
export function uniquePaths({ fields }: ContentType): FieldPath[] {
  return indexedPaths(fields).flatMap(({ path, unique }) => (unique ? [path] : []));
}

/** The keys that the values of an asset are at these paths. */
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
