/**
 * Treats the names of a renamed field as one: gives members of assets the value under all its names, and completes lists of names.
 *
 * Until a backfill has ended, and in the change log for ever, the value of a field may be under its former name, its present one, or
 * both. A field that was renamed twice has two former names.
 */
import type { Json, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import type { RenamedField } from './backfill-calls.ts';

/** Which name has the right value where several names have one. */
export type PreferredName = 'former' | 'present';

/** Completes members, and names of them, by the renamed fields of one class. */
export interface RenameSpreader {
  /**
   * Returns members that have each renamed field under all its names, also inside embedded values and lists of them. Where several names
   * have a value, all get the one that `prefer` chooses; without it, each keeps its own.
   */
  members(members: JsonObject, prefer?: PreferredName): JsonObject;
  /** Returns names of members with the other names of those that were renamed. */
  names(names: readonly string[]): readonly string[];
}

/** A field with several names, and the renamed fields inside its values. */
interface NameGroup {
  /** The former names, and last the present one; a field that only has renamed fields inside it has one name. */
  readonly names: readonly string[];
  readonly inner: NameGroup[];
}

/** Returns the spreader of a class. */
export type RenameSpreaders = (className: string) => RenameSpreader;

/** Creates the spreaders for renamed fields of any classes. All names are stored ones. */
export function createRenameSpreaders(fields: readonly RenamedField[]): RenameSpreaders {
  const spreaders = new Map<string, RenameSpreader>();
  for (const name of new Set(fields.map(({ type }) => type)))
    spreaders.set(name, createSpreader(fields.filter(({ type }) => type === name)));
  return (className) => spreaders.get(className) ?? unchanged;
}

function createSpreader(fields: readonly RenamedField[]): RenameSpreader {
  const groups = toGroups(fields);
  const byName = indexGroups(groups);
  return {
    members: (members, prefer) => spread(members, groups, prefer),
    names: (names) => [...new Set(names.flatMap((name) => byName.get(name)?.names ?? [name]))],
  };
}

const unchanged: RenameSpreader = { members: (members) => members, names: (names) => names };

function toGroups(fields: readonly RenamedField[]): NameGroup[] {
  const groups: NameGroup[] = [];
  // Outer fields first, so that those inside find them by any of their names.
  for (const { path, name } of fields.toSorted((one, other) => one.path.length - other.path.length)) {
    let holder = groups;
    for (const step of path.slice(0, -1)) holder = ensureGroup(holder, step).inner;
    const former = path.at(-1);
    if (former !== undefined) unite(holder, ensureGroup(holder, former), ensureGroup(holder, name));
  }
  return groups;
}

/** Finds the group that has a name, or creates it. */
function ensureGroup(groups: NameGroup[], name: string): NameGroup {
  const found = groups.find((group) => group.names.includes(name));
  if (found) return found;
  const created: NameGroup = { names: [name], inner: [] };
  groups.push(created);
  return created;
}

/** Replaces two groups by one, in which the names of the first come first. */
function unite(groups: NameGroup[], former: NameGroup, present: NameGroup): void {
  if (former === present) return;
  const others = groups.filter((group) => group !== former && group !== present);
  const names = [...former.names, ...present.names];
  groups.splice(0, groups.length, ...others, { names, inner: [...former.inner, ...present.inner] });
}

const indexGroups = (groups: readonly NameGroup[]): ReadonlyMap<string, NameGroup> =>
  new Map(groups.flatMap((group) => group.names.map((name) => [name, group])));

function spread(
  members: JsonObject,
  groups: readonly NameGroup[],
  prefer: PreferredName | undefined,
): JsonObject {
  const byName = indexGroups(groups);
  const done = new Set<NameGroup>();
  const entries = Object.entries(members).flatMap(([name, value]): [string, Json][] => {
    const group = byName.get(name);
    if (!group) return [[name, value]];
    if (done.has(group)) return [];
    done.add(group);
    return spreadField(members, group, prefer);
  });
  return Object.fromEntries(entries);
}

/** Returns a field under all its names. */
function spreadField(
  members: JsonObject,
  { names, inner }: NameGroup,
  prefer: PreferredName | undefined,
): [string, Json][] {
  const present = names.filter((name) => Object.hasOwn(members, name));
  const chosen = prefer === 'present' ? present.at(-1) : present[0];
  const isOwn = (name: string) => prefer === undefined && present.includes(name);
  return names.map((name) => {
    // Safe: the group was found by a name that the members have.
    const value = members[isOwn(name) ? name : (chosen ?? name)] as Json;
    return [name, inner.length === 0 ? value : spreadValue(value, inner, prefer)];
  });
}

function spreadValue(value: Json, inner: readonly NameGroup[], prefer: PreferredName | undefined): Json {
  if (Array.isArray(value)) return value.map((item) => spreadValue(item, inner, prefer));
  return isJsonObject(value) ? spread(value, inner, prefer) : value;
}
