/**
 * Reads the drafts of a release. Those of a class stay in memory once they are read, which the limits of a release bound.
 */
import type { Catalog } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import type { ContentStore, StoredAsset } from '../../store/port.ts';
import { findWhole, readMany } from '../reading/read-chunks.ts';
import type { Draft, DraftSource } from './draft.ts';
import {
  draftClass,
  draftId,
  limitsOf,
  type StoredDraft,
  toAssetWrite,
  toDraftRecord,
} from './draft-record.ts';
import { keepStored, toPresentNames } from './present-names.ts';

/** The reads that a source needs. */
export type DraftReads = Pick<ContentStore, 'find' | 'getChunk' | 'getMany'>;

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
