/**
 * Reads the drafts of a release, with the names that their fields have today. Those of a class stay in memory once they are read, which
 * the limits of a release bound.
 */

import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../../base/errors.ts';
import {
  type Catalog,
  type EmbeddedType,
  type Field,
  type Json,
  type JsonObject,
  kindOf,
} from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import type { ContentStore, StoredAsset } from '../../store/port.ts';
import { findWhole, readMany } from '../reading/read-chunks.ts';
import {
  type Draft,
  type DraftRecord,
  type DraftSource,
  draftClass,
  draftId,
  limitsOf,
  releaseId,
  type StoredDraft,
  standingRelease,
  toAssetWrite,
  toDraftRecord,
} from './draft.ts';

/** The reads that a source needs. */
type DraftReads = Pick<ContentStore, 'find' | 'getChunk' | 'getMany'>;

/**
 * Creates the source of the drafts of a release in one state: as the drafts of a class are read once, a release that was written to needs
 * another source. With the content types of today, drafts have the names of today.
 */
export function createDraftSource(store: DraftReads, release: string, catalog?: Catalog): DraftSource {
  const known = new Map<string, Promise<readonly Draft[]>>();

  async function load(types: readonly string[]): Promise<readonly Draft[]> {
    const names = types.flatMap((type) => [type, ...(catalog?.types.get(type)?.formerClasses ?? [])]);
    return (await readDrafts(store, release, { types: names, catalog })).map(toAssetWrite);
  }

  function ofType(type: string): Promise<readonly Draft[]> {
    const drafts = known.get(type) ?? load([type]);
    known.set(type, drafts);
    drafts.catch(() => known.delete(type));
    return drafts;
  }

  return {
    async find(ids) {
      const found = await findDrafts(store, release, { assets: ids, catalog });
      return new Map([...found].map(([id, stored]) => [id, toAssetWrite(stored)]));
    },
    async ofTypes(types) {
      const [first = [], ...others] = await Promise.all(types.map(ofType));
      return others.length === 0 ? first : [first, ...others].flat();
    },
  };
}

/** Finds the record of a release; the standing one may have none yet. Errors: not_found. */
export async function findRelease(
  store: Pick<ContentStore, 'get'>,
  release: string,
): Promise<StoredAsset | undefined> {
  const stored = await store.get(releaseId(release));
  if (!stored && release !== standingRelease) throw notFound(release, 'release');
  return stored;
}

/** Finds the drafts of assets, by the assets' `_id`; with the content types of today, with the names of today. */
export async function findDrafts(
  store: Pick<ContentStore, 'getMany'>,
  release: string,
  { assets, catalog }: { readonly assets: readonly string[]; readonly catalog?: Catalog | undefined },
): Promise<ReadonlyMap<string, StoredDraft>> {
  const found = new Map<string, StoredDraft>();
  for await (const chunk of readMany(
    store,
    [...new Set(assets)].map((id) => draftId(release, id)),
  )) {
    for (const stored of chunk.values()) {
      const draft = toStoredDraft(stored, catalog);
      found.set(draft.record.asset, draft);
    }
  }
  return found;
}

/** Reads the drafts of a release, of all classes or of some, in no order; with the content types of today, with the names of today. */
export async function readDrafts(
  store: DraftReads,
  release: string,
  { types, catalog }: { readonly types?: readonly string[]; readonly catalog?: Catalog | undefined } = {},
): Promise<readonly StoredDraft[]> {
  const terms = [ofRelease(release), ...(types ? [ofClasses(types)] : [])];
  const { items } = await findWhole(store, {
    types: [draftClass],
    where: allOf(terms),
    offset: 0,
    limit: limitsOf(release).drafts,
    withCount: false,
  });
  return items.map((stored) => toStoredDraft(stored, catalog));
}

/** Reads the drafts of an asset in all releases. */
export async function readDraftsOf(store: DraftReads, asset: string): Promise<readonly StoredDraft[]> {
  const where = equals('asset', [asset]);
  const search = { types: [draftClass], where, limit: maxReleases, withCount: false };
  const { items } = await findWhole(store, { ...search, offset: 0 });
  return items.map((stored) => toStoredDraft(stored));
}

/** An asset has at most one draft in each release. */
const maxReleases = 100_000;

/** Converts a record; with the content types of today, to one with the names of today. */
export function toStoredDraft({ asset, version }: StoredAsset, catalog?: Catalog): StoredDraft {
  const record = toDraftRecord(asset);
  if (!catalog) return { record, version };
  const shown = toPresentNames(record, catalog);
  return {
    record: shown,
    version,
    toStored: (changed) => keepStored(changed, { stored: record, shown, catalog }),
  };
}

/** Returns the predicate that finds the drafts of a release. */
export const ofRelease = (release: string): BoundPredicate => equals('release', [release]);

/** Returns the predicate that finds the drafts of assets of these classes. */
export const ofClasses = (classes: readonly string[]): BoundPredicate => equals('type', classes);

const equals = (name: string, values: readonly string[]): BoundPredicate => ({
  kind: 'equals',
  path: pathOf(name),
  values,
  ignoreCase: false,
});

const pathOf = (name: string): FieldPath => ({
  text: name,
  steps: [{ name, list: false }],
  leaf: { kind: 'scalar', scalar: name === 'asset' ? 'ID' : 'String' },
});

// Gives drafts the names that their fields, classes and kinds of blocks have today, also inside embedded values, and leaves out what their
// types drop. The store does so for content, and does not know the values of drafts. As in content, what is left out stays stored.

/** Returns a draft with the present names, without dropped fields. Other fields that the type does not have any more keep theirs. */
export function toPresentNames(record: DraftRecord, catalog: Catalog): DraftRecord {
  const type = catalog.find(record.type);
  if (!type) return record;
  const present = createNames(type.fields);
  const isShown = (name: string) => !type.dropped.includes(name);
  const rename = (values: JsonObject) => {
    const shown = Object.entries(values).filter(([name]) => isShown(name));
    return renameMembers(Object.fromEntries(shown), type.fields, catalog);
  };
  return {
    ...record,
    type: type.class,
    set: rename(record.set),
    unset: record.unset.filter(isShown).map(present),
    before: rename(record.before),
  };
}

/**
 * Returns the record to store for a changed draft: dropped fields, and values that have not changed, stay as they are stored, for servers
 * with former types.
 */
function keepStored(
  record: DraftRecord,
  { stored, shown, catalog }: { stored: DraftRecord; shown: DraftRecord; catalog: Catalog },
): DraftRecord {
  const type = catalog.find(record.type);
  if (!type || record.action === 'delete') return record;
  const present = createNames(type.fields);
  const isDropped = (name: string) => type.dropped.includes(name);
  const keep = (after: JsonObject, raw: JsonObject, before: JsonObject): JsonObject => {
    const isSame = (name: string) =>
      Object.hasOwn(after, name) && isDeepStrictEqual(after[name], before[name]);
    const kept = Object.entries(raw).filter(([name]) => isDropped(name) || isSame(present(name)));
    const names = new Set(kept.map(([name]) => present(name)));
    const changed = Object.entries(after).filter(([name]) => !names.has(name));
    return Object.fromEntries([...kept, ...changed]);
  };
  return {
    ...record,
    set: keep(record.set, stored.set, shown.set),
    unset: [...stored.unset.filter(isDropped), ...record.unset],
    before: keep(record.before, stored.before, shown.before),
  };
}

type Fields = ReadonlyMap<string, Field>;

/** Returns the function that finds the present name of a field. */
function createNames(fields: Fields): (name: string) => string {
  const renamed = new Map<string, string>();
  for (const { name, formerNames } of fields.values())
    for (const former of formerNames) if (!fields.has(former)) renamed.set(former, name);
  return (name) => renamed.get(name) ?? name;
}

function renameMembers(values: JsonObject, fields: Fields, catalog: Catalog): JsonObject {
  const present = createNames(fields);
  return Object.fromEntries(
    Object.entries(values).map(([given, value]) => {
      const name = present(given);
      const field = fields.get(name);
      return [name, field ? renameIn(value, field, catalog) : value];
    }),
  );
}

function renameIn(value: Json, { type }: Field, catalog: Catalog): Json {
  if (type.kind !== 'embedded' && type.kind !== 'reference') return value;
  const rename = (one: Json): Json => {
    if (!isJsonObject(one)) return one;
    if (type.kind === 'embedded') return renameEmbedded(one, type.type, catalog);
    const target = typeof one._type === 'string' ? catalog.find(one._type) : undefined;
    return target ? { ...one, _type: target.class } : one;
  };
  return Array.isArray(value) ? value.map(rename) : rename(value);
}

/** As in content, dropped fields are not shown, and the default of a required field stands for what is missing. */
function renameEmbedded(value: JsonObject, type: EmbeddedType, catalog: Catalog): JsonObject {
  const kind = kindOf(type, value);
  if (!kind) return value;
  const renamed = renameMembers(value, kind.fields, catalog);
  for (const name of kind.dropped) delete renamed[name];
  for (const { name, required, default: preset } of kind.fields.values())
    if (required && preset !== undefined && !Object.hasOwn(renamed, name))
      renamed[name] = structuredClone(preset);
  return type.kinds ? { ...renamed, _type: kind.name } : renamed;
}
