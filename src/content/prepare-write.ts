/**
 * Prepares writes for the store: checks an asset by itself, whether the caller may write it, and the version that the write requires.
 * The validators of `model/` check the fields; this file adds identity, dates and the site owner. It reads nothing:
 * `check-references.ts` checks whether the targets of references exist.
 */

import { forbidden, invalidBody, type Problem, preconditionFailed } from '../base/errors.ts';
import type { RequestOrigins } from '../base/request-origin.ts';
import type { Clock } from '../base/runtime.ts';
import { isUuid } from '../base/uuid.ts';
import { getType } from '../model/catalog.ts';
import {
  type Asset,
  type Catalog,
  type ContentType,
  type Field,
  type Json,
  type JsonObject,
  siteClass,
  siteOwnerField,
} from '../model/content-type.ts';
import type { ResolveReference } from '../model/values/findings.ts';
import type {
  AssetValidator,
  AssetValidators,
  CheckedFields,
  FoundReference,
} from '../model/values/validate-asset.ts';
import type { AssetWrite, ContentStore, StoredAsset, StoredText } from '../store/port.ts';
import { addedTargets, createKeptCheck, type WrittenReferences } from './check-references.ts';
import { checkReplacement, createDifferenceFinder } from './compare-asset.ts';
import type { WriteIds } from './pre-assigned-ids.ts';
import type { Caller } from './reading/find-assets.ts';
import { isVisible } from './reading/site-visibility.ts';
import { createVariableDefaults } from './variable-defaults.ts';

/** The rules of an installation for its content, beyond the content types. */
export interface ContentRules {
  /** Whether every asset must name its site owner; otherwise an asset without one belongs to the global site. */
  readonly siteOwnerRequired: boolean;
  /** Whether the target of a reference must exist when it is written. */
  readonly referencesChecked: boolean;
  /** Whether each deletion of live content erases its asset. */
  readonly erasesDeletions?: boolean;
  /** Whether writes are of drafts, whose publication sets the date of publication where none was given. */
  readonly drafts?: boolean;
  /** How long a batch may have the writer of the store; absent means as long as a search may take by default. */
  readonly queryMs?: number | undefined;
}

type Insert = Extract<AssetWrite, { kind: 'insert' }>;
type Patch = Extract<AssetWrite, { kind: 'patch' }>;
type Deletion = Extract<AssetWrite, { kind: 'delete' }>;

/** A write that may go to the store once the targets of its references are checked. */
interface PreparedWrite<Write = AssetWrite> extends WrittenReferences {
  readonly write: Write;
  /** All but those of an asset to itself. */
  readonly references: readonly FoundReference[];
}

/** The members of an asset, as a request gives them or as they were stored before. */
interface AssetInput {
  readonly input: JsonObject;
  /** Whether the values were stored before: then nothing is added to them, neither a default nor a date of publication. */
  readonly isStored?: boolean;
  readonly ids: WriteIds;
  /** Finds the targets of references that are named by `_by`. */
  readonly resolve?: ResolveReference;
}

type NewAsset = AssetInput;

/** A change of a stored asset. */
interface AssetChange extends AssetInput, Condition {
  readonly present: PresentAsset;
  /** The state that the caller has changed, where it is another one than the present. */
  readonly base?: Asset | undefined;
  /** Whether a given `cms.content.updateDate` is written even where it is that of the base. */
  readonly keepsDates?: boolean | undefined;
  /** Whether the input is the whole asset: fields that it lacks get their default or are cleared, except `cms.*`. */
  readonly isWhole?: boolean | undefined;
  /** Whether only what differs from the present asset is written. */
  readonly isCompared?: boolean | undefined;
  /** Whether an earlier run of the request has written it, so that rules have judged it then. */
  readonly isWritten?: boolean;
  /** The fields of the key that the asset was found by, whose values therefore stay. */
  readonly foundBy?: readonly string[];
}

/** A prepared change. `isUnchanged` is set for one that was compared and changes nothing. */
interface PreparedChange extends PreparedWrite<Patch> {
  readonly isUnchanged: boolean;
}

/** A deletion of a stored asset. */
interface AssetRemoval extends Condition {
  readonly present: StoredAsset;
  readonly ids: WriteIds;
}

/** Prepares writes for a caller. */
export interface WritePreparer {
  /** Errors: invalid_body, unknown_type, forbidden. */
  create(asset: NewAsset, caller: Caller): PreparedWrite<Insert>;
  /** Errors: invalid_body, unknown_type, forbidden, precondition_failed. */
  update(change: AssetChange, caller: Caller): PreparedChange;
  /** Whether an update needs the present asset, and not only its `_id` and type. */
  needsPresent(
    change: Condition & { readonly type: string; readonly input: JsonObject },
    caller: Caller,
  ): boolean;
  /** Errors: precondition_failed. */
  delete(deletion: AssetRemoval): PreparedWrite<Deletion>;
}

export function createWritePreparer({
  catalog,
  validators,
  clock,
  origins,
  rules,
}: {
  catalog: Catalog;
  validators: AssetValidators;
  clock: Clock;
  /** Who creates assets; absent means Colophon itself. */
  origins?: RequestOrigins | undefined;
  rules: ContentRules;
}): WritePreparer {
  const findDifferences = createDifferenceFinder(catalog);
  const fillVariables = createVariableDefaults({ clock, origins });

  function create(
    { input, isStored = false, ids, resolve }: NewAsset,
    caller: Caller,
  ): PreparedWrite<Insert> {
    const type = findType(catalog, input._type);
    const id = readId(input._id) ?? ids.assetId();
    const validator = validatorOf(type.class);
    const { set, unset, references, problems } = isStored
      ? validator.checkStored(input)
      : validator.checkNew(fillVariables(type, input), resolve);
    assertSound([...problems, ...findMissingOwner({ type: type.class, owner: set[siteOwnerField] }, rules)]);
    const asset: Asset = { _id: id, _type: type.class, ...set };
    assertOwned(asset, caller);
    const nowMs = clock.nowMs();
    // As with a default, null says that there is none.
    const isDateChosen = isStored || unset.includes(publishDateField) || publishDateField in asset;
    if (!isDateChosen) asset[publishDateField] = nowMs;
    asset[updateDateField] ??= nowMs;
    if (!isStored) assertSound(validator.checkRules(asset));
    const isGiven = (name: string) => isStored || Object.hasOwn(input, name);
    const defaulted = Object.keys(set).filter((name) => !isGiven(name));
    if (!isDateChosen) defaulted.push(publishDateField);
    const written = { references: referencesOfOthers(asset, references) };
    return {
      write: {
        kind: 'insert',
        asset,
        version: ids.version('created'),
        ...(rules.drafts && defaulted.length > 0 && { defaulted }),
        ...(rules.referencesChecked && addedTargets(written)),
      },
      ...written,
    };
  }

  function update(change: AssetChange, caller: Caller): PreparedChange {
    const { input, ids, foundBy = [], keepsDates = false, isCompared = false } = change;
    const condition = toCondition(change);
    const asset: Pick<Asset, '_id' | '_type'> & JsonObject = change.present.asset;
    const checked = checkChange(change);
    const { set, unset } = isCompared ? findDifferences(checked, asset) : checked;
    const owner = checked.unset.includes(siteOwnerField)
      ? undefined
      : (checked.set[siteOwnerField] ?? asset[siteOwnerField]);
    assertSound([
      ...checkIdentity({ input, asset, catalog }),
      ...checked.problems,
      ...findMissingOwner({ type: asset._type, owner }, rules),
    ]);
    assertOwned({ [siteOwnerField]: owner ?? null }, caller);
    for (const name of foundBy) delete set[name];
    const cleared = unset.filter((name) => name !== updateDateField);
    const isUnchanged = isCompared && Object.keys(set).length === 0 && cleared.length === 0;
    // Who writes back what was read has not chosen a date.
    const base: JsonObject = change.base ?? asset;
    const date = checked.set[updateDateField];
    const isChosen = date !== undefined && (keepsDates || date !== base[updateDateField]);
    delete set[updateDateField];
    const written = { set: { [updateDateField]: isChosen ? date : clock.nowMs(), ...set }, unset: cleared };
    const isJudgedWithOthers = change.isWritten !== true && assertRules(asset, written);
    const referring = {
      references: referencesOfOthers(asset, checked.references),
      isKept: createKeptCheck(asset),
    };
    return {
      write: {
        kind: 'patch',
        id: asset._id,
        type: asset._type,
        ...written,
        version: ids.version('updated'),
        ...(isJudgedWithOthers ? toCondition({ ...change, ifUnchanged: true }) : condition),
        ...(rules.referencesChecked && addedTargets(referring)),
      },
      ...referring,
      isUnchanged,
    };
  }

  /**
   * Judges the asset that a change makes by the rules that read a changed field. Returns whether they read others, too: then the change may
   * be written only while these are as they were. Errors: invalid_body.
   */
  function assertRules(asset: Asset, { set, unset }: Pick<Patch, 'set' | 'unset'>): boolean {
    const validator = validatorOf(asset._type);
    const cleared = Object.fromEntries(unset.map((name) => [name, null]));
    assertSound(validator.checkRules({ ...asset, ...set, ...cleared }, [...Object.keys(set), ...unset]));
    return validator.readsOthers({ ...set, ...cleared });
  }

  function checkChange({ input, isStored = false, isWhole = false, ...change }: AssetChange): CheckedFields {
    const { resolve, present } = change;
    const { asset } = present;
    const validator = validatorOf(asset._type);
    const fields = isWhole ? [...(catalog.types.get(asset._type)?.fields.values() ?? [])] : [];
    const kept = fields
      .filter((field) => isKept(field) && !Object.hasOwn(input, field.name))
      .map(({ name }) => name);
    if (isWhole) return checkReplacement(input, { asset, kept, validator, resolve });
    return isStored ? validator.checkStoredFields(input) : validator.checkChanges(input, resolve);
  }

  const needsPresent: WritePreparer['needsPresent'] = ({ type, input, ...condition }, { sites }) =>
    sites !== undefined ||
    validatorOf(type).readsOthers({ ...input, [updateDateField]: null }) ||
    rules.siteOwnerRequired ||
    Object.hasOwn(input, updateDateField) ||
    !isOneVersion(condition);

  function remove(removal: AssetRemoval): PreparedWrite<Deletion> {
    const { _id: id, _type: type } = removal.present.asset;
    const change = removal.ids.version('deleted');
    return { write: { kind: 'delete', id, type, change, ...toCondition(removal) }, references: [] };
  }

  function validatorOf(className: string): AssetValidator {
    const validator = validators.get(className);
    if (!validator) throw new Error(`no validator for ${className}`);
    return validator;
  }

  return { create, update, needsPresent, delete: remove };
}

/** The JSON name of the time of publication, which an asset that is created without it gets. */
export const publishDateField = 'cms.content.publishDate';
/** The JSON name of the time of the last change. */
export const updateDateField = 'cms.content.updateDate';

/** Checks whether a replaced asset keeps this member if the replacement does not give it. */
const isKept = ({ name, defaultVariable }: Field) =>
  defaultVariable !== undefined || (name.startsWith('cms.') && name !== updateDateField);

function assertSound(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidBody(problems);
}

function assertOwned(asset: Pick<Asset, string>, caller: Caller): void {
  if (!isVisible(asset, caller)) {
    throw forbidden(
      `This client may write assets of its own sites only: ${siteOwnerField} must be one of them`,
    );
  }
}

/** Leaves out references of an asset to itself: a new asset may reference itself before it exists. */
function referencesOfOthers(
  asset: Pick<Asset, '_id' | '_type'>,
  references: readonly FoundReference[],
): readonly FoundReference[] {
  if (references.length === 0) return references;
  return references.filter(({ reference: { _ref, _type } }) => _ref !== asset._id || _type !== asset._type);
}

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
function checkIdentity({
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

/** Finds whether an asset lacks a site that it must name. A site itself belongs to none. */
export function findMissingOwner(
  { type, owner }: { readonly type: string; readonly owner: Json | undefined },
  { siteOwnerRequired }: { readonly siteOwnerRequired: boolean },
): Problem[] {
  const isMissing = siteOwnerRequired && type !== siteClass && (owner === undefined || owner === null);
  return isMissing ? [{ path: siteOwnerField, message: 'is required' }] : [];
}

/** A condition on the present version; absent means none. */
export interface Condition {
  readonly ifVersions?: readonly string[];
  /** Whether the asset must be unchanged since it was read. */
  readonly ifUnchanged?: boolean;
}

/** A stored asset, or what is known of one that was not read, whose type the store checks when it writes. */
type PresentAsset = StoredAsset | { readonly asset: Pick<Asset, '_id' | '_type'> };

/**
 * Checks a condition now, and returns it for the store to check again, since others may write meanwhile. Errors:
 * precondition_failed.
 */
function toCondition({ ifVersions, ifUnchanged = false, present }: Condition & { present: PresentAsset }): {
  ifVersion?: string;
} {
  if (!ifVersions && !ifUnchanged) return {};
  const version = 'version' in present ? present.version : ifVersions?.[0];
  if (version === undefined) throw new Error('This condition needs the present asset');
  assertVersion({ ifVersions }, { asset: present.asset, version });
  return { ifVersion: version };
}

/** Checks that an asset has one of the versions that a caller may have seen. Errors: precondition_failed. */
export function assertVersion(
  { ifVersions }: { readonly ifVersions?: readonly string[] | undefined },
  { asset, version }: { readonly asset: Pick<Asset, '_id'>; readonly version: string },
): void {
  if (ifVersions?.includes(version) === false) throw preconditionFailed(asset._id);
}

/** Several versions, or an unknown one, can only be compared with an asset that was read. */
const isOneVersion = ({ ifVersions, ifUnchanged = false }: Condition) =>
  !ifUnchanged && (ifVersions === undefined || ifVersions.length === 1);

/** What a write has done. */
export interface Written {
  /** The `id` of the entry in the change log; absent when the store keeps none. */
  readonly change?: string;
}

/** An asset after a write. */
export type WrittenAsset = StoredAsset & Written;

/** An asset after a write, as JSON text. */
export type WrittenText = StoredText & Written;

/** Returns the change of a write, whose entry has this `id` if the store keeps a log. */
export const changeOf = ({ capabilities }: ContentStore, change: string | undefined): Written =>
  change !== undefined && capabilities.changes ? { change } : {};

export function parseWritten({ text, version, change }: WrittenText): WrittenAsset {
  // Every stored text is that of an asset.
  return { asset: JSON.parse(text) as Asset, version, ...(change !== undefined && { change }) };
}
