/**
 * Compares what a write gives with the stored asset, so that only what differs is written.
 *
 * A value of the type `File` may give its hash alone: it is equal if every member that it gives is. Dates of updates are left to the
 * preparer, which alone knows whether one was chosen.
 */
import { memberOf } from '../base/own-members.ts';
import type { Asset, Catalog, Json, JsonObject } from '../model/content-type.ts';
import { createFileFinder } from '../model/values/find-files.ts';
import type { ResolveReference } from '../model/values/findings.ts';
import { type AssetValidator, type CheckedFields, isJsonObject } from '../model/values/validate-asset.ts';

/** Fields to write and names of fields to remove. */
type Changes = Pick<CheckedFields, 'set' | 'unset'>;

/** Finds what differs from a stored asset: the fields to write, and the names of those to remove. */
export type DifferenceFinder = (changes: Changes, asset: Asset) => Changes;

export function createDifferenceFinder(catalog: Catalog): DifferenceFinder {
  const findFiles = createFileFinder(catalog);
  return ({ set, unset }, asset) => {
    const files = new Set(findFiles(asset._type, set).map(({ file }) => file));
    const isEqual = (given: Json, stored: Json): boolean => {
      if (given === stored) return true;
      if (Array.isArray(given))
        return (
          Array.isArray(stored) &&
          given.length === stored.length &&
          given.every((item, n) => isEqual(item, stored[n] ?? null))
        );
      if (!isJsonObject(given) || !isJsonObject(stored)) return false;
      const names = Object.keys(files.has(given) ? given : { ...stored, ...given });
      return names.every((name) => isEqual(storedValue(given, name), storedValue(stored, name)));
    };
    const changed = Object.entries(set).filter(([name, value]) => !isEqual(value, storedValue(asset, name)));
    return {
      set: Object.fromEntries(changed),
      unset: unset.filter((name) => storedValue(asset, name) !== null),
    };
  };
}

/** Returns a member of a stored object. A server returns null for one that is absent. */
const storedValue = (object: JsonObject, name: string): Json => memberOf(object, name) ?? null;

/**
 * Checks an asset that replaces a stored one as a whole. The members `kept`, which it does not give, keep their values, and their
 * references are not checked again.
 */
export function checkReplacement(
  input: JsonObject,
  {
    asset,
    kept,
    validator,
    resolve,
  }: {
    asset: JsonObject;
    kept: readonly string[];
    validator: AssetValidator;
    resolve?: ResolveReference | undefined;
  },
): CheckedFields {
  const values = Object.fromEntries(kept.map((name) => [name, storedValue(asset, name)]));
  const { set, references, problems } = validator.checkNew({ ...input, ...values }, resolve);
  return {
    set,
    unset: Object.keys(asset).filter((name) => !['_id', '_type'].includes(name) && !Object.hasOwn(set, name)),
    references: references.filter(({ path }) => !kept.includes(path)),
    problems,
  };
}
