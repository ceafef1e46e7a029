/**
 * The unique fields of content types, and the values of assets in them. Only a top-level field identifies an asset, not one inside an
 * embedded value.
 */
import type { Problem } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import type { Catalog, ContentType, JsonObject } from '../../model/content-type.ts';
import type { AssetValidators } from '../../model/values/validate-asset.ts';
import { createKeysOf, type KeysOf, type UniqueKey, uniquePaths } from '../../query/unique-values.ts';

/** Reads unique keys of assets. */
export interface UniqueKeys {
  /** Lists the unique fields that identify assets of a type. */
  fieldsOf(type: ContentType): readonly string[];
  /** Reads the key that an input gives in one of those fields, or finds the problems with it. */
  read(type: ContentType, field: string, input: JsonObject): UniqueKey | readonly Problem[];
  readonly of: KeysOf;
}

/** Creates the reader for a catalog. */
export function createUniqueKeys(catalog: Catalog, validators: AssetValidators): UniqueKeys {
  const keysOf = createKeysOf(catalog);

  const fields = new Map(
    [...catalog.types.values()].map((type) => [
      type.class,
      uniquePaths(type).flatMap(({ steps, text }) => (steps.length === 1 ? [text] : [])),
    ]),
  );

  function read(type: ContentType, field: string, input: JsonObject): UniqueKey | readonly Problem[] {
    const given = memberOf(input, field);
    if (given === undefined || given === null) return [{ path: field, message: 'is required' }];
    const checked = validators.get(type.class)?.checkChanges({ [field]: given });
    if (checked && checked.problems.length > 0) return checked.problems;
    const asset = { ...checked?.set, _id: '', _type: type.class };
    const key = keysOf(asset).find(({ path }) => path.text === field);
    if (!key) throw new Error(`${type.class} has no unique field ${field}`);
    return key;
  }

  return { fieldsOf: (type) => fields.get(type.class) ?? [], read, of: keysOf };
}
