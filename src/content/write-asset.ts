/**
 * Creates, updates and deletes assets: what must be true of content before a store may keep it.
 *
 * Fields are checked by the validators of `model/`; this adds what takes more than the asset itself: identity, dates, the site
 * owner, and that the targets of references exist.
 */
import { validate as isUuid } from 'uuid';
import {
  forbidden,
  invalidBody,
  notFound,
  type Problem,
  preconditionFailed,
  unknownType,
} from '../base/errors.ts';
import type { Clock, IdSource } from '../base/runtime.ts';
import type { Asset, Catalog, ContentType, Json, JsonObject } from '../model/content-type.ts';
import {
  type AssetValidator,
  createAssetValidators,
  type FoundReference,
  isJsonObject,
} from '../model/validate-asset.ts';
import type { ContentStore, StoredAsset } from '../store/port.ts';
import { type AssetFinder, type Caller, isVisible, siteOwnerField } from './find-assets.ts';

/** What an installation asks of its content beyond the types. */
export interface ContentRules {
  /** Whether every asset must name its site owner; otherwise an asset without one belongs to the global site. */
  readonly siteOwnerRequired: boolean;
  /** Whether the target of a reference must exist when it is written. */
  readonly referencesChecked: boolean;
}

/** A change of one asset. `ifVersions` are the versions the caller may have seen; absent means any. */
export interface AssetUpdate {
  readonly id: string;
  readonly body: unknown;
  readonly ifVersions?: readonly string[];
}

/** The writing half of the content service. */
export interface AssetWriter {
  /** Errors: invalid_body, unknown_type, forbidden, id_in_use, value_in_use. */
  create(body: unknown, caller: Caller): Promise<StoredAsset>;
  /** Errors: invalid_body, unknown_type, not_found, forbidden, value_in_use, precondition_failed. */
  update(update: AssetUpdate, caller: Caller): Promise<StoredAsset>;
  /** Errors: not_found, precondition_failed. */
  delete(deletion: Omit<AssetUpdate, 'body'>, caller: Caller): Promise<void>;
}

/** Makes the writing half of a content service over one catalog. */
export function createAssetWriter({
  catalog,
  store,
  finder,
  clock,
  ids,
  rules,
}: {
  catalog: Catalog;
  store: ContentStore;
  finder: AssetFinder;
  clock: Clock;
  ids: IdSource;
  rules: ContentRules;
}): AssetWriter {
  const validators = createAssetValidators(catalog);

  async function create(body: unknown, caller: Caller): Promise<StoredAsset> {
    const input = toObject(body);
    const type = findType(catalog, input._type);
    const id = readId(input._id) ?? ids.assetId();
    const { set, references, problems } = validatorOf(type).checkNew(input);
    await assertSound({ id, type, references, problems: [...problems, ...checkOwner(set[siteOwnerField])] });
    const nowMs = clock.nowMs();
    const asset: Asset = { _id: id, _type: type.class, ...set };
    asset[publishDateField] ??= nowMs;
    asset[updateDateField] ??= nowMs;
    assertOwned(asset, caller);
    const stored = { asset, version: ids.version() };
    await store.insert(stored);
    return stored;
  }

  async function update({ id, body, ifVersions }: AssetUpdate, caller: Caller): Promise<StoredAsset> {
    const input = toObject(body);
    const { asset, version } = await finder.get(id, caller);
    assertVersion(id, version, ifVersions);
    const type = typeOf(asset);
    const { set, unset, references, problems } = validatorOf(type).checkChanges(input);
    const owner = unset.includes(siteOwnerField) ? undefined : (set[siteOwnerField] ?? asset[siteOwnerField]);
    const identity = checkIdentity(input, asset, catalog);
    await assertSound({
      id: asset._id,
      type,
      references,
      problems: [...identity, ...problems, ...checkOwner(owner)],
    });
    assertOwned({ [siteOwnerField]: owner ?? null }, caller);
    const changed = await store.patch({
      id: asset._id,
      type: asset._type,
      set: { [updateDateField]: clock.nowMs(), ...set },
      unset: unset.filter((name) => name !== updateDateField),
      version: ids.version(),
      ...(ifVersions ? { ifVersion: version } : {}),
    });
    if (!changed) throw notFound(id);
    return changed;
  }

  async function remove({ id, ifVersions }: Omit<AssetUpdate, 'body'>, caller: Caller): Promise<void> {
    const { asset, version } = await finder.get(id, caller);
    assertVersion(id, version, ifVersions);
    const condition = ifVersions ? { ifVersion: version } : {};
    if (!(await store.delete({ id: asset._id, type: asset._type, ...condition }))) throw notFound(id);
  }

  function typeOf(asset: Asset): ContentType {
    const type = catalog.types.get(asset._type);
    if (!type) throw notFound(asset._id);
    return type;
  }

  function validatorOf(type: ContentType): AssetValidator {
    const validator = validators.get(type.class);
    if (!validator) throw new Error(`no validator for ${type.class}`);
    return validator;
  }

  function checkOwner(owner: Json | undefined): Problem[] {
    const isMissing = rules.siteOwnerRequired && (owner === undefined || owner === null);
    return isMissing ? [{ path: siteOwnerField, message: 'is required' }] : [];
  }

  async function assertSound({
    id,
    type,
    references,
    problems,
  }: {
    id: string;
    type: ContentType;
    references: readonly FoundReference[];
    problems: readonly Problem[];
  }): Promise<void> {
    if (problems.length > 0) throw invalidBody(problems);
    if (!rules.referencesChecked) return;
    // An asset may refer to itself, which is not yet there when it is created.
    const others = references.filter(
      ({ reference }) => reference._ref !== id || reference._type !== type.class,
    );
    const dangling = await findDangling(store, others);
    if (dangling.length > 0) throw invalidBody(dangling);
  }

  return { create, update, delete: remove };
}

const publishDateField = 'cms.content.publishDate';
const updateDateField = 'cms.content.updateDate';

function toObject(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
}

function findType(catalog: Catalog, name: Json | undefined): ContentType {
  if (typeof name !== 'string') throw invalidBody([{ path: '_type', message: 'is required, as a text' }]);
  const type = catalog.find(name);
  if (!type) throw unknownType(name, '_type');
  if (type.kind === 'object') return type;
  throw invalidBody([
    { path: '_type', message: `is an interface; an asset is one of ${catalog.concrete(type).join(', ')}` },
  ]);
}

function readId(id: Json | undefined): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id === 'string' && isUuid(id)) return id.toLowerCase();
  throw invalidBody([{ path: '_id', message: 'must be a UUID' }]);
}

/** `_id` and `_type` may be repeated in a change, not changed. */
function checkIdentity(input: JsonObject, asset: Asset, catalog: Catalog): Problem[] {
  const problems: Problem[] = [];
  const { _id: id = asset._id, _type: type = asset._type } = input;
  if (typeof id !== 'string' || id.toLowerCase() !== asset._id)
    problems.push({ path: '_id', message: 'cannot be changed' });
  if (typeof type !== 'string' || catalog.find(type)?.class !== asset._type) {
    problems.push({ path: '_type', message: 'cannot be changed' });
  }
  return problems;
}

function assertVersion(id: string, version: string, ifVersions: readonly string[] | undefined): void {
  if (ifVersions && !ifVersions.includes(version)) throw preconditionFailed(id);
}

function assertOwned(asset: Pick<Asset, string>, caller: Caller): void {
  if (!isVisible(asset, caller)) {
    throw forbidden(
      `This client may write assets of its own sites only: ${siteOwnerField} must be one of them`,
    );
  }
}

async function findDangling(store: ContentStore, references: readonly FoundReference[]): Promise<Problem[]> {
  if (references.length === 0) return [];
  const targets = await store.getMany([...new Set(references.map(({ reference }) => reference._ref))]);
  return references.flatMap(({ path, reference }) => {
    const target = targets.get(reference._ref);
    if (!target) return [{ path, message: `refers to ${reference._ref}, which does not exist` }];
    return target._type === reference._type
      ? []
      : [{ path: `${path}._type`, message: `is ${reference._type}, but the asset is a ${target._type}` }];
  });
}
