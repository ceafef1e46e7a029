/**
 * Restores an asset to a past state: an ordinary write, validated by the current content types.
 *
 * The state of then is checked as a whole, so that one answer names all problems: of the types, and of references whose targets are
 * gone. A deleted asset is created again with its `_id`.
 */

import {
  idInUse,
  invalidBody,
  isDomainError,
  notFound,
  type Problem,
  preconditionFailed,
} from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import type { IdSource } from '../../base/runtime.ts';
import type { Asset, Catalog, JsonObject } from '../../model/content-type.ts';
import type { AssetValidators } from '../../model/values/validate-asset.ts';
import type { AssetWrite, ContentStore, StoredAsset } from '../../store/port.ts';
import { createKeptCheck, findDangling } from '../check-references.ts';
import { type ContentRules, updateDateField, type WritePreparer } from '../prepare-write.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';
import type { WrittenAsset } from '../written-asset.ts';
import type { HistoryReader, NamedMoment } from './read-history.ts';

/** What to restore. */
export interface Restoration {
  readonly id: string;
  readonly moment: NamedMoment;
  /** The JSON names of the fields to restore; absent means the whole state. Needs an asset that exists. */
  readonly fields?: readonly string[];
  readonly ifVersions?: readonly string[];
}

/**
 * Restores an asset. Errors: not_found, history_removed, not_supported, invalid_body, id_in_use, value_in_use, precondition_failed.
 */
export type AssetRestorer = (restoration: Restoration, caller: Caller) => Promise<WrittenAsset>;

/** The parts that restoring needs. */
interface RestorerParts {
  readonly catalog: Catalog;
  readonly validators: AssetValidators;
  readonly store: ContentStore;
  readonly reader: HistoryReader;
  readonly preparer: WritePreparer;
  readonly ids: IdSource;
  readonly rules: ContentRules;
}

/** Creates the function that restores assets of one catalog. */
export function createAssetRestorer(parts: RestorerParts): AssetRestorer {
  const { catalog, store, reader } = parts;
  return async (restoration, caller) => {
    const { id, moment, fields, ifVersions } = restoration;
    const { asset: past } = await reader.get({ id, moment }, caller);
    const present = await store.get(past._id);
    if (present && !isSameAsset(present.asset, past, caller)) throw idInUse(past._id);
    if (!present && ifVersions) throw preconditionFailed(past._id);
    if (!present && fields) throw notFound(id);
    const names = [...(catalog.types.get(past._type)?.fields.keys() ?? [])];
    const input = fields ? pickFields(past, fields, names) : toWholeInput(past, names);
    const write = await prepare(parts, { restoration, past, present, input, caller });
    const extra = present && !fields ? unknownFields(present.asset, names) : [];
    return apply(store, write.kind === 'patch' ? { ...write, unset: [...write.unset, ...extra] } : write);
  };
}

/** Tells whether the caller may overwrite the asset that now has the `_id`. */
function isSameAsset(present: Asset, past: Asset, caller: Caller): boolean {
  return present._type === past._type && isVisible(present, caller);
}

/** Returns the chosen fields as they were; null clears a field that had no value. Errors: invalid_body. */
function pickFields(past: Asset, fields: readonly string[], known: readonly string[]): JsonObject {
  const problems = fields.flatMap((name, index): Problem[] => {
    const path = `fields[${index}]`;
    if (name === updateDateField) return [{ path, message: 'is the time of the last change, which is now' }];
    return known.includes(name) ? [] : [{ path, message: `is not a field of ${past._type}: "${name}"` }];
  });
  if (problems.length > 0) throw invalidBody(problems);
  const whole = toWholeInput(past, known);
  return Object.fromEntries(fields.map((name) => [name, memberOf(whole, name) ?? null]));
}

/** Returns the whole state as it was. A field that had no value gets null. */
function toWholeInput(past: Asset, known: readonly string[]): JsonObject {
  const cleared = Object.fromEntries(known.map((name) => [name, null]));
  const { [updateDateField]: _, ...input } = { ...cleared, ...past };
  return input;
}

/** Lists the fields of an asset that its type has no more. */
function unknownFields(asset: Asset, known: readonly string[]): string[] {
  return Object.keys(asset).filter((name) => name !== '_id' && name !== '_type' && !known.includes(name));
}

interface Preparation {
  readonly restoration: Restoration;
  readonly past: Asset;
  readonly present: StoredAsset | undefined;
  readonly input: JsonObject;
  readonly caller: Caller;
}

/** A write that restores. */
type RestoringWrite = Exclude<AssetWrite, { kind: 'delete' }>;

/** Prepares the write, and reports the problems of types and references together. */
async function prepare(
  { catalog, validators, store, preparer, ids, rules }: RestorerParts,
  { restoration: { ifVersions }, past, present, input, caller }: Preparation,
): Promise<RestoringWrite> {
  const given = withoutNulls(input);
  const stored = { input, isStored: true, ids };
  const { write, problems } = collectProblems(
    (): RestoringWrite =>
      present
        ? preparer.update({ ...stored, present, ...(ifVersions && { ifVersions }) }, caller).write
        : preparer.create(stored, caller).write,
  );
  const references = validators.get(past._type)?.checkStoredFields(given).references ?? [];
  const ofOthers = references.filter(({ reference }) => reference._ref !== past._id);
  const isKept = present && createKeptCheck(present.asset);
  const dangling = rules.referencesChecked
    ? await findDangling({ references: ofOthers, isKept }, { store, catalog, caller })
    : [];
  if (!write || dangling.length > 0) throw invalidBody([...problems, ...dangling]);
  return write;
}

function withoutNulls(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** Runs a preparation; returns its problems instead of throwing them. */
function collectProblems<Write>(work: () => Write): { write?: Write; problems: readonly Problem[] } {
  try {
    return { write: work(), problems: [] };
  } catch (error) {
    if (isDomainError(error, 'invalid_body')) return { problems: error.details.problems };
    throw error;
  }
}

async function apply(store: ContentStore, write: RestoringWrite): Promise<WrittenAsset> {
  if (write.kind === 'insert') {
    const { asset, version } = write;
    await store.insert({ asset, version });
    return { asset, version, change: version };
  }
  const restored = await store.patch(write);
  if (!restored) throw notFound(write.id);
  return { ...restored, change: restored.version };
}
