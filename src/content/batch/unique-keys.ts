/**
 * The keys of content types, and the values of assets in them. A unique field inside an embedded value does not identify an asset.
 */
import type { Problem } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import type { Catalog, ContentType, JsonObject } from '../../model/content-type.ts';
import { type KeyPaths, keyName, keysOfType } from '../../model/field-path.ts';
import type { AssetValidators } from '../../model/values/validate-asset.ts';
import {
  createKeysOf,
  findKeyValues,
  isOptionalInKey,
  type KeysOf,
  toUniqueKey,
  type UniqueKey,
} from '../../query/unique-values.ts';

/** Reads unique keys of assets. */
export interface UniqueKeys {
  /** Lists the names of the keys that identify assets of a type: a unique field, or several fields with commas between them. */
  namesOf(type: ContentType): readonly string[];
  /** Finds the name of the key with these fields, in any order. */
  find(type: ContentType, fields: readonly string[]): string | undefined;
  /** Reads the key that an input gives in one of those keys, or finds the problems with it. */
  read(type: ContentType, name: string, input: JsonObject): UniqueKey | readonly Problem[];
  readonly of: KeysOf;
}

/** Creates the reader for a catalog. */
export function createUniqueKeys(catalog: Catalog, validators: AssetValidators): UniqueKeys {
  const keysOf = createKeysOf(catalog);
  const keys = new Map(
    [...catalog.types.values()].map((type) => [type.class, identifyingKeys(type)] as const),
  );
  const ofType = (type: ContentType) => keys.get(type.class) ?? new Map<string, KeyPaths>();
  const toSet = (fields: readonly string[]) => fields.toSorted().join();

  function read(type: ContentType, name: string, input: JsonObject): UniqueKey | readonly Problem[] {
    const paths = ofType(type).get(name);
    if (!paths) throw new Error(`${type.class} has no key ${name}`);
    const given = paths.map((path) => ({ path, value: memberOf(input, path.text) ?? null }));
    const missing = given.filter(({ path, value }) => value === null && !isOptionalInKey(paths, path));
    if (missing.length > 0) return missing.map(({ path }) => ({ path: path.text, message: 'is required' }));
    const present = given.filter(({ value }) => value !== null);
    const changes = Object.fromEntries(present.map(({ path, value }) => [path.text, value]));
    const checked = validators.get(type.class)?.checkChanges(changes);
    if (checked && checked.problems.length > 0) return checked.problems;
    const values = findKeyValues({ ...checked?.set, _id: '', _type: type.class }, paths);
    if (!values) throw new Error(`${type.class} accepts no key ${name}`);
    return toUniqueKey(type.class, paths, values);
  }

  return {
    namesOf: (type) => [...ofType(type).keys()],
    find: (type, fields) => [...ofType(type).keys()].find((name) => toSet(name.split(',')) === toSet(fields)),
    read,
    of: keysOf,
  };
}

const identifyingKeys = (type: ContentType) =>
  new Map(
    keysOfType(type)
      .filter((paths) => paths.every(({ steps }) => steps.length === 1))
      .map((paths) => [keyName(paths), paths]),
  );
