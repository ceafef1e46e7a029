/**
 * The stored names of fields, and the conversion of assets between stored and present names.
 *
 * A field stays under the name with which it was first stored. Values change in two ways only: a reference gets the
 * other name of its class, and what lacks a required field with a default is shown with the default. Dropped fields are not shown.
 */
import type { ContentType, Json, JsonObject, ValueType } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** The names of the members of an asset or of an embedded value. */
export interface RenamedMembers {
  readonly byName: ReadonlyMap<string, RenamedMember>;
  readonly byStoredName: ReadonlyMap<string, RenamedMember>;
  /** The members that are not shown: the type no longer has them, and their values are no longer needed. */
  readonly dropped: ReadonlySet<string>;
  /** The last names of fields that the type no longer has and does not drop, by stored name. */
  readonly removed: ReadonlyMap<string, string>;
  /** Of blocks: their kinds. Then the other members are those that paths can reach. */
  readonly kinds?: readonly RenamedKind[];
}

/** A kind of blocks. */
export interface RenamedKind {
  readonly name: string;
  readonly storedName: string;
  readonly members: RenamedMembers;
}

/** One member: `content` tells what may have to be renamed in its value, or in the items of its list. */
export interface RenamedMember {
  readonly name: string;
  readonly storedName: string;
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
  /** The shape of stored assets that fit the type. */
  readonly storedShape: string;
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
  const toStored = (value: JsonObject, members: RenamedMembers) => {
    const kind = members.kinds?.find(({ name }) => name === value._type);
    const stored = toStoredMembers(value, kind?.members ?? members, renameClass);
    return kind ? { ...stored, _type: kind.storedName } : stored;
  };
  return Object.fromEntries(
    Object.entries(object).map(([name, value]): [string, Json] => {
      const member = byName.get(name);
      if (!member) return [name, value];
      return [member.storedName, convertValue(value, member, { convert: toStored, renameClass })];
    }),
  );
}

/** Converts stored members to their present names, without dropped ones. */
export function toPresentMembers(
  object: JsonObject,
  { byStoredName, dropped, removed }: RenamedMembers,
  renameClass: RenameClass,
): JsonObject {
  const toPresent = (value: JsonObject, declared: RenamedMembers) => {
    const kind = declared.kinds?.find(({ storedName }) => storedName === value._type);
    const members = kind?.members ?? declared;
    const present = withFallbacks(toPresentMembers(value, members, renameClass), members);
    return kind ? { ...present, _type: kind.name } : present;
  };
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, Json][] => {
      const member = byStoredName.get(name);
      if (!member) return dropped.has(name) ? [] : [[removed.get(name) ?? name, value]];
      return [[member.name, convertValue(value, member, { convert: toPresent, renameClass })]];
    }),
  );
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
