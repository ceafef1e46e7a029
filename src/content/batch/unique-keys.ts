/**
 * The unique fields that identify an asset, and the values of assets in them.
 *
 * Unique fields inside embedded values are left out: only a top-level field identifies an asset.
 */
import type { Problem } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import type { Catalog, ContentType, Json, JsonObject } from '../../model/content-type.ts';
import type { AssetValidators } from '../../model/values/validate-asset.ts';
import { type UniqueKey, uniqueKeysAt, uniquePaths } from '../../query/unique-values.ts';

/** Reads unique keys of assets. */
export interface UniqueKeys {
  /** Lists the unique fields that identify assets of a type. */
  fieldsOf(type: ContentType): readonly string[];
  /** Reads the key that an input gives in one of those fields, or finds the problems with it. */
  read(type: ContentType, field: string, input: JsonObject): UniqueKey | readonly Problem[];
  /** Lists the unique keys among the values of an asset. */
  of(className: string, values: Readonly<Record<string, Json>>): UniqueKey[];
}

/** Creates the reader for a catalog. */
export function createUniqueKeys(catalog: Catalog, validators: AssetValidators): UniqueKeys {
  const paths = new Map(
    [...catalog.types.values()].map((type) => [
      type.class,
      uniquePaths(type).filter(({ steps }) => steps.length === 1),
    ]),
  );

  const keysOf = (type: string, values: Readonly<Record<string, Json>>) =>
    uniqueKeysAt(paths.get(type) ?? [], type, values);

  function read(type: ContentType, field: string, input: JsonObject): UniqueKey | readonly Problem[] {
    const given = memberOf(input, field);
    if (given === undefined || given === null) return [{ path: field, message: 'is required' }];
    const checked = validators.get(type.class)?.checkChanges({ [field]: given });
    if (checked && checked.problems.length > 0) return checked.problems;
    const key = keysOf(type.class, checked?.set ?? {}).find(({ path }) => path.text === field);
    if (!key) throw new Error(`${type.class} has no unique field ${field}`);
    return key;
  }

  return { fieldsOf: (type) => (paths.get(type.class) ?? []).map(({ text }) => text), read, of: keysOf };
}
