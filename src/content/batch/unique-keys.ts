/**
 * The keys of content types, and the values of assets in them. An asset without a value in a field of a key does not have the key, nor
 * does one without the embedded value that contains the field.
 */
import type { Problem } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import type { Catalog, ContentType, Json, JsonObject } from '../../model/content-type.ts';
import { type FieldPath, fieldPaths, type KeyPaths, keyName, keysOfType } from '../../model/field-path.ts';
import type { Findings, ValueCheck } from '../../model/values/findings.ts';
import { compileFieldCheck, isJsonObject } from '../../model/values/validate-asset.ts';
import {
  createKeysOf,
  findKeyValues,
  isOptionalInKey,
  toUniqueKey,
  type UniqueKey,
} from '../../query/unique-values.ts';

/** Reads unique keys of assets. */
export type UniqueKeys = ReturnType<typeof createUniqueKeys>;

type KeyReading = UniqueKey | readonly Problem[];

/** Creates the reader for a catalog. */
export function createUniqueKeys(catalog: Catalog) {
  const ofType = new Map([...catalog.types.values()].map((type) => [type.class, identityOf(catalog, type)]));
  /** Lists the names of the keys that identify assets of a type: the path of a unique field, or several fields with commas between them. */
  const namesOf = (type: ContentType): readonly string[] => [...(ofType.get(type.class)?.keys.keys() ?? [])];
  const toSet = (fields: readonly string[]) => fields.toSorted().join();

  function read(type: ContentType, name: string, valueAt: (path: FieldPath) => Json): KeyReading {
    const { keys, checks } = ofType.get(type.class) ?? {};
    const paths = keys?.get(name);
    if (!paths) throw new Error(`${type.class} has no key ${name}`);
    const given = paths.map((path) => ({ path, value: valueAt(path) }));
    const missing = given.filter(({ path, value }) => value === null && !isOptionalInKey(paths, path));
    if (missing.length > 0) return missing.map(({ path }) => ({ path: path.text, message: 'is required' }));
    const findings: Findings = { ...noFindings, problems: [], references: [] };
    const asset = { _id: '', _type: type.class };
    for (const { path, value } of given) {
      const stored = value === null ? undefined : checks?.get(path.text)?.(value, path.text, findings);
      if (stored !== undefined) Object.assign(asset, placeValue(path, stored));
    }
    if (findings.problems.length > 0) return findings.problems;
    const values = findKeyValues(asset, paths);
    if (!values) throw new Error(`${type.class} accepts no key ${name}`);
    return toUniqueKey(type.class, paths, values);
  }

  return {
    namesOf,
    /** Finds the name of the key with these fields, in any order. */
    find: (type: ContentType, fields: readonly string[]) =>
      namesOf(type).find((name) => toSet(name.split(',')) === toSet(fields)),
    /** Reads the value of a key in an input that has the form of an asset, or finds the problems with it. */
    readAsset: (type: ContentType, name: string, input: JsonObject): KeyReading =>
      read(type, name, (path) => findValue(input, path)),
    /** Reads the value of a key whose fields are given by their paths, as in the `_by` of references, or finds the problems with it. */
    readBy: (type: ContentType, name: string, by: JsonObject): KeyReading =>
      read(type, name, ({ text }) => memberOf(by, text) ?? null),
    of: createKeysOf(catalog),
  };
}

const noFindings = { resolve: undefined, appliesDefaults: false, hints: true };

/** What identifies the assets of one type: its keys by their names, and the checks of their fields by their paths. */
interface Identity {
  readonly keys: ReadonlyMap<string, KeyPaths>;
  readonly checks: ReadonlyMap<string, ValueCheck>;
}

function identityOf(catalog: Catalog, type: ContentType): Identity {
  const keys = keysOfType(type);
  const used = new Set(keys.flat().map(({ text }) => text));
  const fields = fieldPaths(type.fields).filter(({ path }) => used.has(path.text));
  return {
    keys: new Map(keys.map((paths) => [keyName(paths), paths])),
    checks: new Map(fields.map(({ field, path }) => [path.text, compileFieldCheck(catalog, field)])),
  };
}

/** Finds the value at a path that leads through no list. */
const findValue = (input: JsonObject, { steps }: FieldPath): Json =>
  steps.reduce<Json>(
    (holder, { name }) => (isJsonObject(holder) ? (memberOf(holder, name) ?? null) : null),
    input,
  );

const placeValue = ({ steps }: FieldPath, value: Json) =>
  steps.reduceRight<Json>((inner, { name }) => ({ [name]: inner }), value);
