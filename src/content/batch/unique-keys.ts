/**
 * The unique fields that identify an asset, and the values of assets in them.
 *
 * Unique fields inside embedded values are left out: only a top-level field identifies an asset.
 */
import { invalidBody } from '../../base/errors.ts';
import type { Asset, Catalog, ContentType, Json, JsonObject } from '../../model/content-type.ts';
import { type FieldPath, indexedPaths } from '../../model/field-path.ts';
import type { AssetValidators } from '../../model/validate-asset.ts';
import type { BoundValue } from '../../query/ast.ts';
import { findValues } from '../../query/evaluate.ts';

/** A value of a unique field: at most one asset of the type has it. */
export interface UniqueKey {
  /** A class name. */
  readonly type: string;
  readonly path: FieldPath;
  readonly value: BoundValue;
  /** Identifies the key: equal for equal keys only. */
  readonly text: string;
}

/** Reads unique keys of assets. */
export interface UniqueKeys {
  /** Lists the unique fields that identify assets of a type. */
  fieldsOf(type: ContentType): readonly string[];
  /** Reads the key that an input gives in one of those fields. Errors: invalid_body. */
  read(type: ContentType, field: string, input: JsonObject): UniqueKey;
  /** Lists the unique keys among the values of an asset. */
  of(className: string, values: Readonly<Record<string, Json>>): UniqueKey[];
}

/** Creates the reader for a catalog. */
export function createUniqueKeys(catalog: Catalog, validators: AssetValidators): UniqueKeys {
  const paths = new Map(
    [...catalog.types.values()].map((type) => [
      type.class,
      indexedPaths(type.fields)
        .filter(({ unique, path }) => unique && path.steps.length === 1)
        .map(({ path }) => path),
    ]),
  );

  function keysOf(type: string, values: Readonly<Record<string, Json>>): UniqueKey[] {
    const asset: Asset = { _id: '', _type: type, ...values };
    return (paths.get(type) ?? []).flatMap((path) =>
      findValues(asset, path).map((value) => ({
        type,
        path,
        value,
        text: JSON.stringify([type, path.text, value]),
      })),
    );
  }

  function read(type: ContentType, field: string, input: JsonObject): UniqueKey {
    const given = Object.hasOwn(input, field) ? input[field] : undefined;
    if (given === undefined || given === null) throw invalidBody([{ path: field, message: 'is required' }]);
    const checked = validators.get(type.class)?.checkChanges({ [field]: given });
    if (checked && checked.problems.length > 0) throw invalidBody(checked.problems);
    const key = keysOf(type.class, checked?.set ?? {}).find(({ path }) => path.text === field);
    if (!key) throw new Error(`${type.class} has no unique field ${field}`);
    return key;
  }

  return { fieldsOf: (type) => (paths.get(type.class) ?? []).map(({ text }) => text), read, of: keysOf };
}
