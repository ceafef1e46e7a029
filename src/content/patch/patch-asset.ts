/**
 * Changes of an asset that are stated as a patch: JSON Merge Patch (RFC 7396) or JSON Patch (RFC 6902), applied to the asset as it is
 * read. What it changes is written as an update of those fields.
 */
import { isDeepStrictEqual } from 'node:util';
import { invalidBody } from '../../base/errors.ts';
import { memberOf, setMember } from '../../base/own-members.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { parseBodyText } from '../../model/values/parse-json.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { applyJsonPatch, readOperations } from './json-patch.ts';

/** Returns the fields that a patch changes in an asset, with `null` for those that it removes. Errors: invalid_body, test_failed. */
export type PatchAsset = (asset: JsonObject) => JsonObject;

/** Reads a patch of either kind: a list is a JSON Patch. `at` is its path for errors: invalid_body. */
export function readPatch(document: Json | undefined, at = ''): PatchAsset {
  if (Array.isArray(document)) return readJsonPatch(document, at);
  if (isJsonObject(document)) return readMergePatch(document);
  throw invalidBody([{ path: at, message: 'must be an object or a list of operations' }]);
}

/** Reads a merge patch. Errors: invalid_body. */
export function readMergePatch(document: Json): PatchAsset {
  if (!isJsonObject(document)) throw invalidBody([{ path: '', message: 'must be an object' }]);
  return (asset) => changedFields(asset, mergePatch(asset, document));
}

/** Reads a JSON Patch. Errors: invalid_body. */
export function readJsonPatch(document: Json, at?: string): PatchAsset {
  const patch = readOperations(document, at);
  return (asset) => changedFields(asset, applyJsonPatch(asset, patch));
}

function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else setMember(merged, name, mergePatch(memberOf(merged, name), value));
  }
  return merged;
}

/** Compares the top-level fields. Those that differ have to be within the limits of a body. Errors: invalid_body, too_many_values. */
function changedFields(asset: JsonObject, patched: Json): JsonObject {
  if (!isJsonObject(patched)) throw invalidBody([{ path: '', message: 'must leave an object' }]);
  const changes: JsonObject = {};
  for (const name of Object.keys(asset)) if (!Object.hasOwn(patched, name)) changes[name] = null;
  for (const [name, value] of Object.entries(patched)) {
    if (!isDeepStrictEqual(memberOf(asset, name), value)) setMember(changes, name, value);
  }
  return parseBodyText(JSON.stringify(changes));
}
