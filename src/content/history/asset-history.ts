/**
 * The history of assets, as part of the content service: their changes and past states, the deleted assets, and restoring.
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
import { titleOf } from '../../model/asset-title.ts';
import { getType } from '../../model/catalog.ts';
import type { Asset, Catalog, JsonObject } from '../../model/content-type.ts';
import type { AssetValidators } from '../../model/values/validate-asset.ts';
import type { ChangeEntry } from '../../store/changes.ts';
import type { AssetWrite, ContentStore, StoredAsset } from '../../store/port.ts';
import { createKeptCheck, findDangling } from '../check-references.ts';
import { type AssetEraser, createAssetEraser } from '../erasure/erase-asset.ts';
import {
  type ContentRules,
  updateDateField,
  type WritePreparer,
  type WrittenAsset,
} from '../prepare-write.ts';
import type { Caller } from '../reading/find-assets.ts';
import { isVisible } from '../reading/site-visibility.ts';
import { createHistoryReader, type HistoryReader, type NamedMoment, readCursor } from './read-history.ts';

/** The past of the assets of one catalog. A store without a change log rejects every call with `not_supported`. */
export interface AssetHistory extends HistoryReader {
  readonly restore: AssetRestorer;
  readonly findDeleted: DeletedAssetFinder;
  readonly erase: AssetEraser;
}

/** Creates the history of one catalog. */
export function createAssetHistory(
  parts: Omit<Parameters<typeof createAssetRestorer>[0], 'reader'> & Parameters<typeof createAssetEraser>[0],
): AssetHistory {
  const reader = createHistoryReader(parts);
  return {
    ...reader,
    restore: createAssetRestorer({ ...parts, reader }),
    findDeleted: createDeletedAssetFinder(parts),
    erase: createAssetEraser(parts),
  };
}

/** Which deleted assets to find. */
interface DeletedRequest {
  /** Class name or type ID of a content type or interface; absent means all. */
  readonly type?: string;
  /** A text that the title contains, in upper or lower case; absent means any. */
  readonly search?: string;
  readonly limit: number;
  /** The `next` of the page before. */
  readonly cursor?: string;
}

/** A deleted asset, and the entry of its deletion. */
export interface DeletedAsset {
  readonly asset: Asset;
  readonly title: string;
  readonly entry: ChangeEntry;
}

/** A page of deleted assets. It may have fewer than requested, or none; `next` is absent on the last page. */
interface DeletedPage {
  readonly items: readonly DeletedAsset[];
  readonly next?: string;
}

/** Finds a page of deleted assets. Errors: unknown_type, invalid_parameter, not_supported. */
type DeletedAssetFinder = (request: DeletedRequest, caller: Caller) => Promise<DeletedPage>;

/** How many pages of the log are read for one page that would otherwise be empty. */
const maxReads = 10;

function createDeletedAssetFinder({
  catalog,
  store,
}: {
  catalog: Catalog;
  store: ContentStore;
}): DeletedAssetFinder {
  function typesOf(name: string | undefined): readonly string[] {
    if (name === undefined) return [...catalog.types.keys()];
    return catalog.concrete(getType(catalog, name, 'type'));
  }

  const toDeleted = (entry: ChangeEntry): DeletedAsset => {
    // The entry of a deletion has the whole asset.
    const asset = entry.before as Asset;
    return { asset, title: titleOf(asset, catalog.types.get(asset._type)), entry };
  };

  return async ({ type, search = '', limit, cursor }, caller) => {
    const types = typesOf(type);
    const wanted = search.toLocaleLowerCase();
    const isWanted = ({ asset, title }: DeletedAsset) =>
      isVisible(asset, caller) && title.toLocaleLowerCase().includes(wanted);
    let from = readCursor(cursor);
    for (let reads = 1; ; reads++) {
      caller.signal?.throwIfAborted();
      const { entries, next } = await store.changes.read({
        order: 'newest first',
        limit,
        filter: { types, actions: ['delete'], latestOnly: true },
        ...(from === undefined ? {} : { from }),
      });
      const items = entries.map(toDeleted).filter(isWanted);
      if (next === undefined) return { items };
      if (items.length > 0 || reads === maxReads) return { items, next: String(next) };
      from = next;
    }
  };
}

// Restores an asset to a past state: an ordinary write, validated by the current content types.
//
// The state of then is checked as a whole, so that one answer names all problems: of the types, and of references whose targets are
// gone. A deleted asset is created again with its `_id`.

/** What to restore. */
interface Restoration {
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
    const { asset, version, targets } = write;
    await store.insert({ asset, version, ...(targets && { targets }) });
    return { asset, version, change: version };
  }
  const restored = await store.patch(write);
  if (!restored) throw notFound(write.id);
  return { ...restored, change: restored.version };
}
