/**
 * Checks the draft of one asset for its publication: whether the asset may still become what the draft makes of it. What depends on other
 * assets, unique values and the targets of references, `plan-publication.ts` checks.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type DomainError,
  editConflict,
  forbidden,
  idInUse,
  invalidBody,
  notFound,
  unknownType,
} from '../../../base/errors.ts';
import { memberOf } from '../../../base/own-members.ts';
import type { EditConflict } from '../../../base/problems.ts';
import type { Clock, IdSource } from '../../../base/runtime.ts';
import {
  type Asset,
  type Catalog,
  type Json,
  type JsonObject,
  siteOwnerField,
} from '../../../model/content-type.ts';
import type { AssetValidators, FoundReference } from '../../../model/values/validate-asset.ts';
import type { AssetWrite, ContentStore, StoredAsset } from '../../../store/port.ts';
import { addedTargets, createKeptCheck } from '../../check-references.ts';
import { readBase } from '../../merge-changes.ts';
import { applyWrite } from '../../overlay/write-overlay.ts';
import {
  type ContentRules,
  findMissingOwner,
  publishDateField,
  updateDateField,
} from '../../prepare-write.ts';
import { isVisible } from '../../reading/site-visibility.ts';
import { touchedBy } from '../change-draft.ts';
import { type DraftRecord, type StoredDraft, toAssetWrite } from '../draft.ts';

/** The parts that the check uses. */
export interface DraftCheckParts {
  readonly catalog: Catalog;
  /** The store of the live content. */
  readonly store: ContentStore;
  readonly validators: AssetValidators;
  readonly rules: ContentRules;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** What the publication of a draft does to its asset, and what is wrong with it. */
export interface CheckedDraft {
  readonly errors: readonly DomainError[];
  /** The asset afterwards; absent for a deletion, and where an error has no other way. */
  readonly after?: Asset;
  /** Absent when nothing is left to do. */
  readonly write?: AssetWrite;
  readonly references: readonly FoundReference[];
}

export type DraftCheck = (
  draft: StoredDraft,
  live: StoredAsset | undefined,
  caller: { readonly sites?: readonly string[] | undefined },
) => Promise<CheckedDraft>;

export function createDraftCheck({
  catalog,
  store,
  validators,
  rules,
  clock,
  ids,
}: DraftCheckParts): DraftCheck {
  const refused = (error: DomainError): CheckedDraft => ({ errors: [error], references: [] });

  /** Returns the write of a draft, with the dates of its publication. */
  function toWrite({ record }: StoredDraft, live: StoredAsset | undefined): AssetWrite {
    const version = ids.version();
    const write = toAssetWrite({ record, version });
    const isDateChosen = !record.defaulted?.includes(publishDateField);
    const names = isDateChosen ? [updateDateField] : [updateDateField, publishDateField];
    const dates: [string, Json][] = names.map((name) => [name, clock.nowMs()]);
    const ifVersion = live?.version;
    const condition = ifVersion === undefined ? {} : { ifVersion };
    if (write.kind === 'insert')
      return { kind: 'insert', asset: { ...write.asset, ...Object.fromEntries(dates) }, version };
    if (write.kind === 'delete') return { ...write, ...condition };
    return { ...write, set: { ...write.set, ...Object.fromEntries(dates) }, ...condition };
  }

  /** Checks an asset as it would be live. Fields that its type no longer has count only where the draft sets them. */
  function checkFields(after: Asset, { type, set }: DraftRecord) {
    const validator = validators.get(type);
    const fields = catalog.types.get(type)?.fields;
    if (!validator || !fields)
      return { errors: [unknownType(type, '_type', catalog.types.keys())], references: [] };
    const members = Object.entries(after).filter(([name]) => name !== '_id' && name !== '_type');
    const known = members.filter(([name]) => fields.has(name) || Object.hasOwn(set, name));
    const { problems, references } = validator.checkStored(Object.fromEntries(known) as JsonObject);
    const all = [...problems, ...findMissingOwner({ type, owner: after[siteOwnerField] }, rules)];
    return { errors: all.length > 0 ? [invalidBody(all)] : [], references };
  }

  async function findConflicts(
    { record }: StoredDraft,
    live: StoredAsset,
  ): Promise<EditConflict[] | undefined> {
    if (record.action === 'create' || record.base === undefined || record.base === live.version)
      return undefined;
    if (record.action === 'delete') return findChanged(record.base, live);
    const conflicts = findOverlaps(record, live.asset);
    return conflicts.length > 0 ? conflicts : undefined;
  }

  /** Finds what others have changed of an asset to delete; an empty list where the log does not tell any more. */
  async function findChanged(version: string, { asset }: StoredAsset): Promise<EditConflict[] | undefined> {
    const base = await readBase(store, { id: asset._id, version });
    if (!base) return [];
    const names = new Set([...Object.keys(base), ...Object.keys(asset)]);
    names.delete(updateDateField);
    const conflicts = [...names].flatMap((path) => {
      const [was, theirs] = [memberOf(base, path), memberOf(asset, path)];
      return isDeepStrictEqual(was, theirs)
        ? []
        : [toConflict({ path, base: was, theirs, yours: undefined })];
    });
    return conflicts.length > 0 ? conflicts : undefined;
  }

  return async (draft, live, caller) => {
    const { asset: id, type, action } = draft.record;
    if (live && !isVisible(live.asset, caller)) return refused(outsideSites());
    const isOther = live !== undefined && live.asset._type !== type;
    // Its types drop all that it changes.
    if (action === 'change' && touchedBy(draft.record).length === 0) return { errors: [], references: [] };
    if (action === 'create' && live) return refused(idInUse(id));
    if (action === 'delete' && (!live || isOther)) return { errors: [], references: [] };
    if (action === 'change' && (!live || isOther)) return refused(notFound(id));
    const write = toWrite(draft, live);
    const conflicts = live && (await findConflicts(draft, live));
    const errors: DomainError[] = conflicts ? [editConflict(id, conflicts)] : [];
    const after = applyWrite(write, live?.asset)?.asset;
    if (!after) return { errors, write, references: [] };
    if (!isVisible(after, caller)) return refused(outsideSites());
    const checked = checkFields(after, draft.record);
    const { references } = checked;
    const isKept = live && createKeptCheck(live.asset);
    const targets = rules.referencesChecked ? addedTargets({ references, isKept }) : {};
    return { errors: [...errors, ...checked.errors], after, write: { ...write, ...targets }, references };
  };
}

/** Finds the fields of the live asset that others have changed since a draft of its change first changed them, to another value. */
export const findOverlaps = (record: DraftRecord, live: Asset): EditConflict[] =>
  touchedBy(record).flatMap((path) => {
    const [base, theirs, yours] = [record.before, live, record.set].map((one) => memberOf(one, path));
    if (isDeepStrictEqual(base, theirs) || isDeepStrictEqual(theirs, yours)) return [];
    return [toConflict({ path, base, theirs, yours })];
  });

const outsideSites = () => forbidden('You may publish assets of your own sites only');

function toConflict({ path, ...values }: EditConflict): EditConflict {
  // Absent where the field has no value.
  return { path, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) };
}
