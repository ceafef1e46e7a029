/**
 * Describes what a write does to an asset, for the change log. Secret fields are named and their values left out.
 */
import { memberOf } from '../../../base/own-members.ts';
import type { Asset, ContentType, Json, JsonObject } from '../../../model/content-type.ts';
import { entriesPerState } from '../../changes.ts';

/** What a write did to the values of an asset. */
export interface ChangedValues {
  readonly changed?: readonly string[];
  readonly before?: string;
  readonly state?: string;
}

/** The state of an asset before and after the write that gave it the entry with this number. Absent where it did not exist. */
interface Transition {
  readonly former?: Asset;
  readonly asset?: Asset;
  readonly number: number;
}

/** Describes a write to an asset of a type; an unknown type has no secrets. */
export function describeChange({ former, asset, number }: Transition, type?: ContentType): ChangedValues {
  const secrets = secretsOf(type);
  const state = asset && number % entriesPerState === 0 ? { state: toText(omit(asset, secrets)) } : {};
  if (!former) return { changed: Object.keys(asset ?? {}).filter(isField), ...state };
  if (!asset) return { before: toText(omit(former, secrets)) };
  const names = [...new Set([...Object.keys(former), ...Object.keys(asset)])];
  const changed = names.filter((name) => !isSame(memberOf(former, name), memberOf(asset, name)));
  const before = changed.flatMap((name) => {
    const value = memberOf(former, name);
    return value === undefined || secrets.includes(name) ? [] : [[name, value] as const];
  });
  return { changed, ...(before.length > 0 && { before: toText(Object.fromEntries(before)) }), ...state };
}

/** Returns an asset without its secret fields. */
export const withoutSecrets = (asset: Asset, type?: ContentType): Asset => omit(asset, secretsOf(type));

const secretsOf = (type?: ContentType) => (typeof type?.unlogged === 'object' ? type.unlogged.secrets : []);

const isField = (name: string) => name !== '_id' && name !== '_type';

function omit(asset: Asset, names: readonly string[]): Asset {
  if (names.length === 0) return asset;
  // Safe: `_id` and `_type` are never secret.
  return Object.fromEntries(Object.entries(asset).filter(([name]) => !names.includes(name))) as Asset;
}

const toText = (object: JsonObject) => JSON.stringify(object);

/** Compares values; the order of members counts, so that undoing a change restores it. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return JSON.stringify(one) === JSON.stringify(other);
}
