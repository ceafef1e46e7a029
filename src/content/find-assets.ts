/**
 * Finds assets: by id, and by predicate.
 *
 * What a caller may see is decided here: types of this service's catalog, and, for a caller held to certain sites, the assets
 * those sites own. To such a caller any other asset does not exist.
 */
import { invalidParameter, notFound, unknownType } from '../base/errors.ts';
import type { Asset, Catalog } from '../model/content-type.ts';
import { findFieldPath } from '../model/field-path.ts';
import type { BoundPredicate } from '../query/ast.ts';
import { bindPredicate } from '../query/bind.ts';
import { createPredicateCompiler } from '../query/prepare.ts';
import type { ContentStore, FoundPage, StoredAsset } from '../store/port.ts';

/** On whose behalf content is used. */
export interface Caller {
  /** IDs of the sites whose assets alone are there for the caller; absent means all assets. */
  readonly sites?: readonly string[];
}

/** Which assets to find. */
export interface AssetQuery {
  /** Class name or type ID of a content type or an interface. */
  readonly from: string;
  /** Predicate text; absent means all assets of the type. */
  readonly where?: string;
  /** What fills the predicate's `?`: texts are converted to the field's type, other JSON values must fit it. */
  readonly values?: readonly unknown[];
  readonly offset: number;
  readonly limit: number;
  readonly withCount: boolean;
}

/** The reading half of the content service. */
export interface AssetFinder {
  /** Errors: not_found. */
  get(id: string, caller: Caller): Promise<StoredAsset>;
  /**
   * Finds one page of the assets that match.
   *
   * Units: `offset` and `limit` count assets; limit 0 asks for the count alone.
   * Errors: unknown_type, unknown_field, predicate_syntax, predicate_type, values_mismatch, invalid_parameter.
   */
  find(query: AssetQuery, caller: Caller): Promise<FoundPage>;
}

/** Makes the reading half of a content service over one catalog. */
export function createAssetFinder({
  catalog,
  store,
}: {
  catalog: Catalog;
  store: ContentStore;
}): AssetFinder {
  const predicates = createPredicateCompiler(catalog);

  async function get(id: string, caller: Caller): Promise<StoredAsset> {
    const stored = await store.get(id.toLowerCase());
    if (!stored || !catalog.types.has(stored.asset._type) || !isVisible(stored.asset, caller))
      throw notFound(id);
    return stored;
  }

  function find(query: AssetQuery, caller: Caller): Promise<FoundPage> {
    const type = catalog.find(query.from);
    if (!type) throw unknownType(query.from, 'from');
    const types = catalog.concrete(type);
    const where = restrictToSites(compileWhere(types, query), types, caller);
    const { offset, limit, withCount } = query;
    if (types.length === 0) return Promise.resolve({ items: [], ...(withCount ? { count: 0 } : {}) });
    return store.find({ types, offset, limit, withCount, ...(where ? { where } : {}) });
  }

  function compileWhere(types: readonly string[], query: AssetQuery): BoundPredicate | undefined {
    const values = query.values ?? [];
    if (query.where !== undefined) return bindPredicate(predicates.prepare(types, query.where), values);
    if (values.length > 0) throw invalidParameter('values', 'needs a predicate in "where" to fill');
    return undefined;
  }

  function restrictToSites(
    where: BoundPredicate | undefined,
    types: readonly string[],
    { sites }: Caller,
  ): BoundPredicate | undefined {
    if (!sites) return where;
    const path = findFieldPath(catalog, types, siteOwnerField);
    if (typeof path === 'string') throw new Error(path);
    const owned: BoundPredicate = { kind: 'equals', path, values: sites, ignoreCase: false };
    return where ? { kind: 'and', terms: [owned, where] } : owned;
  }

  return { get, find };
}

/** The JSON name of the reference to the site that owns an asset. */
export const siteOwnerField = 'cms.site.owner';

/** Whether the asset is there for the caller. */
export function isVisible(asset: Pick<Asset, string>, { sites }: Caller): boolean {
  if (!sites) return true;
  const owner = asset[siteOwnerField];
  return (
    typeof owner === 'object' &&
    owner !== null &&
    '_ref' in owner &&
    sites.some((site) => site === owner._ref)
  );
}
