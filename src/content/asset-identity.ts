/**
 * Who an asset is: what `_id` and `_type` of a body may say.
 */
import { invalidBody, type Problem, unknownType } from '../base/errors.ts';
import { isUuid } from '../base/uuid.ts';
import type { Asset, Catalog, ContentType, Json, JsonObject } from '../model/content-type.ts';

/** The content type a new asset names, by class name or type ID. Errors: invalid_body, unknown_type. */
export function findType(catalog: Catalog, name: Json | undefined): ContentType {
  if (typeof name !== 'string') throw invalidBody([{ path: '_type', message: 'is required, as a text' }]);
  const type = catalog.find(name);
  if (!type) throw unknownType(name, '_type');
  if (type.kind === 'object') return type;
  throw invalidBody([
    { path: '_type', message: `is an interface; an asset is one of ${catalog.concrete(type).join(', ')}` },
  ]);
}

/** The ID a new asset brings, in lower case. Errors: invalid_body. */
export function readId(id: Json | undefined): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id === 'string' && isUuid(id)) return id.toLowerCase();
  throw invalidBody([{ path: '_id', message: 'must be a UUID' }]);
}

/** Problems of a change that names another identity: `_id` and `_type` may be repeated in it, not changed. */
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
