/**
 * The stored names of fields, and the conversion of assets between stored and present names.
 *
 * A field is stored under a former name in a store that was served with it. Values change in two ways only: a reference gets the
 * other name of its class, and what lacks a required field with a default is shown with the default. Dropped fields are not shown.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ContentType, Json, JsonObject, ValueType } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** The names of the members of an asset or of an embedded value. */
export interface RenamedMembers {
  readonly byName: ReadonlyMap<string, RenamedMember>;
  /** By each name that the values may have, also by those which only the change log has. */
  readonly byStoredName: ReadonlyMap<string, RenamedMember>;
  /** The members that are not shown: the type no longer has them, and their values are no longer needed. */
  readonly dropped: ReadonlySet<string>;
}

/** One member: `content` tells what may have to be renamed in its value, or in the items of its list. */
export interface RenamedMember {
  readonly name: string;
  /** The name by which values are read and searched. */
  readonly storedName: string;
  readonly writtenNames: readonly string[];
  /** All names that values may have, also those which only the change log has. */
  readonly names: readonly string[];
  /** Whether a backfill moves the values. */
  readonly isMoving: boolean;
  /** With the stored names. */
  readonly type: ValueType;
  /** The value that an object without the member has: the default of a required field. */
  readonly fallback?: Json;
  readonly content?: 'reference' | RenamedMembers;
}

/** A content type whose assets are not stored as they are shown. */
export interface RenamedType {
  readonly present: ContentType;
  /** The type with the stored names. */
  readonly stored: ContentType;
  readonly shape: string;
  /** The shapes of stored assets that fit the type: under any of the names of its fields. */
  readonly storedShapes: ReadonlySet<string>;
  /** The shapes before a backfill and after it; absent while the store has had none. */
  readonly finalShapes?: { readonly former: string; readonly present: string };
  /** Whether names differ; if not, assets written by former types may lack fields that have a default, or have dropped ones. */
  readonly isRenamed: boolean;
  readonly members: RenamedMembers;
}

/** Finds the other name of a class; returns the same name for a class that was not renamed. */
export type RenameClass = (className: string) => string;

/** Converts members of an asset or of an embedded value to their stored names. */
export function toStoredMembers(
  object: JsonObject,
  { byName }: RenamedMembers,
  renameClass: RenameClass,
): JsonObject {
  const toStored = (value: JsonObject, members: RenamedMembers) =>
    toStoredMembers(value, members, renameClass);
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      const member = byName.get(name);
      if (!member) return [[name, value]];
      const converted = convertValue(value, member, { convert: toStored, renameClass });
      return member.writtenNames.map((one) => [one, converted]);
    }),
  );
}

/** Converts stored members to their present names, without dropped ones. A value under the stored name hides one under the present name. */
export function toPresentMembers(
  object: JsonObject,
  { byName, byStoredName, dropped }: RenamedMembers,
  renameClass: RenameClass,
): JsonObject {
  const toPresent = (value: JsonObject, members: RenamedMembers) =>
    withFallbacks(toPresentMembers(value, members, renameClass), members);
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      const member = byStoredName.get(name) ?? byName.get(name);
      if (!member) return dropped.has(name) ? [] : [[name, value]];
      if (sourceOf(object, member) !== name) return [];
      return [[member.name, convertValue(value, member, { convert: toPresent, renameClass })]];
    }),
  );
}

/** Returns the name under which an object has the value of a member; where it has several, the one by which values are read. */
function sourceOf(object: JsonObject, { storedName, names }: RenamedMember): string | undefined {
  return Object.hasOwn(object, storedName) ? storedName : names.find((name) => Object.hasOwn(object, name));
}

/**
 * Gives the values that a backfill moves the names under which they are written, and takes away the others. All else stays as it is,
 * also what is not shown. Returns the same object when nothing changes.
 */
export function moveMembers(object: JsonObject, { byStoredName }: RenamedMembers): JsonObject {
  let isChanged = false;
  const moved = Object.entries(object).flatMap(([name, value]): [string, Json][] => {
    const member = byStoredName.get(name);
    if (!member) return [[name, value]];
    const inner = moveValue(value, member);
    isChanged ||= inner !== value;
    if (!member.isMoving) return [[name, inner]];
    if (sourceOf(object, member) !== name) return [];
    const written = member.writtenNames.map((one): [string, Json] => [one, inner]);
    isChanged ||= !hasNames(object, member);
    return written;
  });
  return isChanged ? Object.fromEntries(moved) : object;
}

/** Tells whether an object has a value under exactly the written names, everywhere the same. */
function hasNames(object: JsonObject, { names, writtenNames }: RenamedMember): boolean {
  const [first, ...others] = writtenNames;
  return (
    first !== undefined &&
    names.every((name) => Object.hasOwn(object, name) === writtenNames.includes(name)) &&
    others.every((name) => isDeepStrictEqual(object[name], object[first]))
  );
}

function moveValue(value: Json, { content }: RenamedMember): Json {
  if (content === undefined || content === 'reference') return value;
  const moveOne = (one: Json): Json => (isJsonObject(one) ? moveMembers(one, content) : one);
  if (!Array.isArray(value)) return moveOne(value);
  const moved = value.map(moveOne);
  return moved.some((one, n) => one !== value[n]) ? moved : value;
}

/** Adds the defaults of required fields that a whole object lacks. */
export function withFallbacks(object: JsonObject, { byName }: RenamedMembers): JsonObject {
  const missing = [...byName.values()].flatMap(({ name, fallback }) =>
    fallback === undefined || Object.hasOwn(object, name) ? [] : [[name, structuredClone(fallback)] as const],
  );
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

/** Renames the class of an asset or of a reference; parts of an asset without `_type` stay as they are. */
export const withClass = <Members extends JsonObject>(members: Members, renameClass: RenameClass): Members =>
  typeof members._type === 'string' ? { ...members, _type: renameClass(members._type) } : members;

interface Conversion {
  readonly convert: (value: JsonObject, members: RenamedMembers) => JsonObject;
  readonly renameClass: RenameClass;
}

function convertValue(value: Json, { content }: RenamedMember, conversion: Conversion): Json {
  if (content === undefined) return value;
  const convertOne = (one: Json): Json => {
    if (!isJsonObject(one)) return one;
    return content === 'reference'
      ? withClass(one, conversion.renameClass)
      : conversion.convert(one, content);
  };
  return Array.isArray(value) ? value.map(convertOne) : convertOne(value);
}
