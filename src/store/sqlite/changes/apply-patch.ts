/**
 * Applies a patch to a document, and finds what it changes for the change log.
 */
import { memberOf } from '../../../base/own-members.ts';
import type { Asset, Json, JsonObject } from '../../../model/content-type.ts';

/** The content of a patch's `changes`: new values by field name, and the names of fields to remove. */
export interface PatchChanges {
  readonly set: JsonObject;
  readonly unset: readonly string[];
}

/** An asset before and after a patch. */
export interface PatchedAsset {
  readonly former: Asset;
  readonly asset: Asset;
  /** The names of the fields that the patch sets or removes. */
  readonly touched: readonly string[];
}

/** Applies a patch; both arguments are JSON texts. */
export function applyPatch(document: string, changes: string): PatchedAsset {
  // Both texts were made by `JSON.stringify` from an asset and from `PatchChanges`.
  const { set, unset } = JSON.parse(changes) as PatchChanges;
  const former = JSON.parse(document) as Asset;
  const asset: Asset = { ...former, ...set };
  for (const name of unset) delete asset[name];
  const touched = new Set([...Object.keys(set), ...unset]);
  return { former, asset, touched: [...touched] };
}

/** Returns the names of the fields that have another value than before, and the former values of those that had one. */
export function findChanges({ former, asset, touched }: PatchedAsset): {
  changed: readonly string[];
  before: JsonObject;
} {
  const changed = touched.filter((name) => !isSame(memberOf(former, name), memberOf(asset, name)));
  return { changed, before: pick(former, changed) };
}

/** Returns an object without some of its members. */
export const omit = (object: JsonObject, names: readonly string[]): JsonObject =>
  names.length === 0
    ? object
    : pick(
        object,
        Object.keys(object).filter((name) => !names.includes(name)),
      );

const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  // Unlike an assignment, this also creates a member with the name `__proto__`.
  Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(object, name) ? [[name, object[name] as Json]] : [])),
  );

/** Compares scalars as they are, lists and objects by their JSON text. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return JSON.stringify(one) === JSON.stringify(other);
}
