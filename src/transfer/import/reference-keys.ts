/**
 * The identifiers in the lines of a file: the keys by which references name their targets, and `_id`s derived from other texts.
 *
 * The types need not be known: a key is the values of some fields of an asset of one type.
 */
import { createHash, hash } from 'node:crypto';
import { memberOf } from '../../base/own-members.ts';
import { isUuid } from '../../base/uuid.ts';
import { type Json, type JsonObject, siteOwnerField } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { KeyLookup } from '../target/content-target.ts';

/** The key of an asset in some fields. */
export interface LineKey extends KeyLookup {
  /** Equal only for equal keys. */
  readonly hash: Buffer;
}

/**
 * Finds the key that an asset or the `_by` of a reference has in fields of a type, named by their paths; `undefined` if it lacks a
 * value. The site owner may be absent from a joined key.
 */
export function findKey(type: string, fields: readonly string[], object: JsonObject): LineKey | undefined {
  const values: (string | null)[] = [];
  for (const field of fields) {
    const value = valueAt(object, field) ?? null;
    if (value === null && !(field === siteOwnerField && fields.length > 1)) return undefined;
    const text = toText(value);
    if (text === undefined) return undefined;
    values.push(text);
  }
  const digest = hash('sha256', JSON.stringify([type, ...fields, ...values]), 'buffer');
  return { type, fields, values, hash: digest.subarray(0, 16) };
}

/** Finds the value at a path, as a member of that name, or in an embedded value: `cover.code` is a member of an asset, or of its `cover`. */
export function valueAt(object: JsonObject, path: string): Json | undefined {
  const own = memberOf(object, path);
  for (let dot = path.indexOf('.'); own === undefined && dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const inner = memberOf(object, path.slice(0, dot));
    const value = isJsonObject(inner) ? valueAt(inner, path.slice(dot + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return own;
}

/** Returns a value as predicates are given it. */
function toText(value: Json): string | null | undefined {
  if (value === null) return null;
  if (isJsonObject(value)) return typeof value._ref === 'string' ? value._ref.toLowerCase() : undefined;
  return Array.isArray(value) ? undefined : String(value);
}

/** Names the fields of a key in the same order, however they are written. */
export const sortFields = (fields: readonly string[]): readonly string[] => fields.toSorted();

/** A reference in a value that names its target by a key. */
export interface NamingReference {
  readonly type: string;
  readonly by: JsonObject;
}

export function readNaming(value: JsonObject): NamingReference | undefined {
  const { _type: type, _by: by } = value;
  return typeof type === 'string' && isJsonObject(by) ? { type, by } : undefined;
}

/** Changes the objects in a value, innermost first; returns the same value if `change` changes none. */
export function mapObjects(value: Json, change: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => mapObjects(item, change));
    return items.some((item, n) => item !== value[n]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, mapObjects(member, change)] as const);
  const isSame = members.every(([name, member]) => member === value[name]);
  return change(isSame ? value : Object.fromEntries(members));
}

/** Derives the `_id` that stands for a text. */
export type DeriveId = (text: string) => string;

/** The namespace of URLs in RFC 9562. */
const urlNamespace = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** Creates the derivation of UUIDs (version 5) in a namespace: a UUID, or a text that stands for one. UUIDs stay as they are. */
export function createIdDerivation(namespace: string): DeriveId {
  const space = isUuid(namespace) ? namespace : toUuid5(urlNamespace, namespace);
  return (text) => (isUuid(text) ? text : toUuid5(space, text));
}

function toUuid5(namespace: string, name: string): string {
  const bytes = createHash('sha1').update(idBytes(namespace)).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return idText(bytes);
}

/** Returns the 16 bytes of a UUID. */
export const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Returns the text of the 16 bytes of a UUID. */
export const idText = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The key of each type: `_id`, a unique field, or several fields with commas between them. */
export interface UpdateKeys {
  /** The key of a type, by one of its names: its class, or what a line calls it. */
  of(...names: readonly string[]): string;
  /** All keys with their types; an empty one stands for every other type. */
  readonly all: readonly (readonly [type: string, fields: string])[];
  /** As given, the same for the same keys. */
  readonly text: string;
}

/** Reads keys such as `slug` and `com.example.Author=email`. Returns what is wrong with them, worded to follow the option. */
export function readUpdateKeys(given: readonly string[]): UpdateKeys | string {
  const byType = new Map<string, string>();
  for (const text of given) {
    const [, type = '', fields = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(text) ?? [];
    if (fields === '' || text.startsWith('=')) return 'must be <fields> or <type>=<fields>';
    if (byType.has(type)) return type === '' ? 'is given twice for all types' : `is given twice for ${type}`;
    byType.set(type, fields);
  }
  const other = byType.get('') ?? '_id';
  const all = [...byType.set('', other)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    of: (...names) => names.map((name) => byType.get(name)).find((fields) => fields !== undefined) ?? other,
    all,
    text: all.map(([type, fields]) => (type === '' ? fields : `${type}=${fields}`)).join(' '),
  };
}
