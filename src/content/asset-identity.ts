/**
 * The identity of an asset: what the members `_id` and `_type` of a request body may hold.
 */

import { invalidBody, type Problem } from '../base/errors.ts';
import { isUuid } from '../base/uuid.ts';
import { getType } from '../model/catalog.ts';
import type { Asset, Catalog, ContentType, Json, JsonObject } from '../model/content-type.ts';

/** Finds the content type of a new asset by its `_type`, a class name or type ID. Errors: invalid_body, unknown_type. */
export function findType(catalog: Catalog, name: Json | undefined): ContentType {
  if (typeof name !== 'string') throw invalidBody([{ path: '_type', message: 'is required, as a string' }]);
  const type = getType(catalog, name, '_type');
  if (type.kind === 'object') return type;
  throw invalidBody([
    { path: '_type', message: `is an interface; an asset is one of ${catalog.concrete(type).join(', ')}` },
  ]);
}

/** Reads the `_id` of a new asset, if given, in lower case. Errors: invalid_body. */
export function readId(id: Json | undefined): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id === 'string' && isUuid(id)) return id.toLowerCase();
  throw invalidBody([{ path: '_id', message: 'must be a UUID' }]);
}

/** Checks that an update does not change the identity: `_id` and `_type` may be repeated. Returns the problems. */
export function checkIdentity({
  input,
  asset,
  catalog,
}: {
  input: JsonObject;
  asset: Pick<Asset, '_id' | '_type'>;
  catalog: Catalog;
}): Problem[] {
  const problems: Problem[] = [];
  const { _id: id = asset._id, _type: type = asset._type } = input;
  if (typeof id !== 'string' || id.toLowerCase() !== asset._id) {
    problems.push({ path: '_id', message: 'cannot be changed' });
  }
  if (typeof type !== 'string' || catalog.find(type)?.class !== asset._type) {
    problems.push({ path: '_type', message: 'cannot be changed' });
  }
  return problems;
}
