/**
 * Creates, updates and deletes assets: what must be true of content before a store may keep it.
 *
 * Fields are checked by the validators of `model/`, identity and references in the files beside; this adds dates and the site
 * owner, and has the store keep the outcome.
 */
import { forbidden, invalidBody, notFound, type Problem, preconditionFailed } from '../base/errors.ts';
import type { Clock, IdSource } from '../base/runtime.ts';
import type { Asset, Catalog, Json, JsonObject } from '../model/content-type.ts';
import {
  type AssetValidator,
  createAssetValidators,
  type FoundReference,
  isJsonObject,
} from '../model/validate-asset.ts';
import type { ContentStore, StoredAsset } from '../store/port.ts';
import { checkIdentity, findType, readId } from './asset-identity.ts';
import { findDangling } from './check-references.ts';
import { type AssetFinder, type Caller, isVisible } from './find-assets.ts';
import { siteOwnerField } from './restrict-to-sites.ts';

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

/** What an asset is about to hold, and what the validators found in it. */
interface Candidate {
  readonly asset: Pick<Asset, '_id' | '_type'>;
  readonly references: readonly FoundReference[];
  readonly problems: readonly Problem[];
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
    const { set, references, problems } = validatorOf(type.class).checkNew(input);
    const asset: Asset = { _id: id, _type: type.class, ...set };
    await assertSound({ asset, references, problems: [...problems, ...checkOwner(set[siteOwnerField])] });
    const nowMs = clock.nowMs();
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
    const { set, unset, references, problems } = validatorOf(asset._type).checkChanges(input);
    const owner = unset.includes(siteOwnerField) ? undefined : (set[siteOwnerField] ?? asset[siteOwnerField]);
    const identity = checkIdentity({ input, asset, catalog });
    await assertSound({ asset, references, problems: [...identity, ...problems, ...checkOwner(owner)] });
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

  function validatorOf(className: string): AssetValidator {
    const validator = validators.get(className);
    if (!validator) throw new Error(`no validator for ${className}`);
    return validator;
  }

  function checkOwner(owner: Json | undefined): Problem[] {
    const isMissing = rules.siteOwnerRequired && (owner === undefined || owner === null);
    return isMissing ? [{ path: siteOwnerField, message: 'is required' }] : [];
  }

  async function assertSound({ asset, references, problems }: Candidate): Promise<void> {
    if (problems.length > 0) throw invalidBody(problems);
    if (!rules.referencesChecked) return;
    const dangling = await findDangling({ store, asset, references });
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
