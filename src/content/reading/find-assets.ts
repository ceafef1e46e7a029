/**
 * Finds assets: by id, several by their ids, and by predicate in an order.
 *
 * What a caller may see is decided here: types of this service's catalog, and, for a caller held to certain sites, the assets
 * those sites own. To such a caller any other asset does not exist.
 */
import { invalidParameter, notFound, unknownType } from '../../base/errors.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { bindPredicate } from '../../query/bind.ts';
import { createPredicateCompiler } from '../../query/prepare.ts';
import { bindSort, type SortKey } from '../../query/sort.ts';
import type { ContentStore, FindRequest, StoredAsset } from '../../store/port.ts';
import { type AssetPage, findWhole, type OpenPage, openPage, readMany } from './read-chunks.ts';
import { restrictToSites, siteOwnerField } from './restrict-to-sites.ts';

/** On whose behalf content is used. */
export interface Caller {
  /** IDs of the sites whose assets alone are there for the caller; absent means all assets. */
  readonly sites?: readonly string[];
  /** Is aborted when the caller no longer waits: what is being searched for is then given up. */
  readonly signal?: AbortSignal;
}

/** Which assets to find. */
export interface AssetQuery {
  /** Class name or type ID of a content type or an interface. */
  readonly from: string;
  /** Predicate text; absent means all assets of the type. */
  readonly where?: string;
  /** What fills the predicate's `?`: texts are converted to the field's type, other JSON values must fit it. */
  readonly values?: readonly unknown[];
  /** The first key counts most, and ties are by `_id` in the direction of the last; absent means by `_id`. */
  readonly sort?: readonly SortKey[];
  readonly offset: number;
  readonly limit: number;
  readonly withCount: boolean;
}

/** The reading half of the content service. */
export interface AssetFinder {
  /** Errors: not_found. */
  get(id: string, caller: Caller): Promise<StoredAsset>;
  /** The assets there are for the caller among `ids`, in no order, chunk after chunk. */
  getMany(ids: readonly string[], caller: Caller): AsyncIterable<readonly Asset[]>;
  /**
   * Finds one page of the assets that match.
   *
   * Units: `offset` and `limit` count assets; limit 0 asks for the count alone.
   * Errors: unknown_type, unknown_field, predicate_syntax, predicate_type, values_mismatch, invalid_parameter.
   */
  find(query: AssetQuery, caller: Caller): Promise<AssetPage>;
  /** Finds the same page as `find`, which may be too large to be held in memory. Errors: those of `find`. */
  open(query: AssetQuery, caller: Caller): Promise<OpenPage>;
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
    if (!stored || !isThere(stored.asset, caller)) throw notFound(id);
    return stored;
  }

  async function* getMany(ids: readonly string[], caller: Caller): AsyncGenerator<readonly Asset[]> {
    const wanted = ids.map((id) => id.toLowerCase());
    for await (const found of readMany(store, wanted)) {
      yield [...found.values()].map(({ asset }) => asset).filter((asset) => isThere(asset, caller));
    }
  }

  async function find(query: AssetQuery, caller: Caller): Promise<AssetPage> {
    const request = toRequest(query, caller);
    return request ? findWhole(store, request) : empty(query);
  }

  async function open(query: AssetQuery, caller: Caller): Promise<OpenPage> {
    const request = toRequest(query, caller);
    if (!request) return { first: [], ...(query.withCount && { count: 0 }) };
    return openPage(store, request, (asset) => isVisible(asset, caller));
  }

  /** What the store is asked; nothing when no type is searched. */
  function toRequest(query: AssetQuery, caller: Caller): FindRequest | undefined {
    const type = catalog.find(query.from);
    if (!type) throw unknownType(query.from, 'from');
    const types = catalog.concrete(type);
    const asked = compileWhere(types, query);
    const where = caller.sites ? restrictToSites(asked, caller.sites) : asked;
    const { offset, limit, withCount } = query;
    const sort = query.sort && bindSort(catalog, types, query.sort);
    if (types.length === 0) return undefined;
    const { signal } = caller;
    const given = { ...(where && { where }), ...(sort && { sort }), ...(signal && { signal }) };
    return { types, offset, limit, withCount, ...given };
  }

  function compileWhere(types: readonly string[], query: AssetQuery): BoundPredicate | undefined {
    const values = query.values ?? [];
    if (query.where !== undefined) return bindPredicate(predicates.prepare(types, query.where), values);
    if (values.length > 0) throw invalidParameter('values', 'needs a predicate in "where" to fill');
    return undefined;
  }

  const isThere = (asset: Asset, caller: Caller) =>
    catalog.types.has(asset._type) && isVisible(asset, caller);

  return { get, getMany, find, open };
}

const empty = ({ withCount }: AssetQuery) => ({ items: [], ...(withCount ? { count: 0 } : {}) });

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
