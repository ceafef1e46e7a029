/**
 * Compares definitions member by member. Lists of named objects, such as mappings, are compared by name, and all other lists as sets:
 * their order has no meaning.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** A member that differs; a value is absent where there is none. */
export interface MemberDifference {
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** Finds the members that differ, in the order of their paths. */
export function compareDefinitions(before: JsonObject, after: JsonObject): MemberDifference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name) => compareMember(name, before[name], after[name]));
}

function compareMember(path: string, before: Json | undefined, after: Json | undefined): MemberDifference[] {
  const [one, other] = [byName(before), byName(after)];
  if (one && other) {
    const under = (difference: MemberDifference) => ({ ...difference, path: `${path}.${difference.path}` });
    return compareDefinitions(one, other).map(under);
  }
  if (isDeepStrictEqual(withoutOrder(before), withoutOrder(after))) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

/** Returns an object by member names, or the objects of a list by their names. */
function byName(value: Json | undefined): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (!Array.isArray(value) || !value.every((item) => isJsonObject(item) && typeof item.name === 'string'))
    return undefined;
  return Object.fromEntries(value.map((item) => [String(Object(item).name), item]));
}

const withoutOrder = (value: Json | undefined) =>
  Array.isArray(value) ? value.map((item) => JSON.stringify(item)).toSorted() : value;
