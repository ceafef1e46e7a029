/**
 * Finds assets: one by `_id`, several by their `_id`s, and pages by predicate and sort order.
 *
 * This file decides what a caller may see: types of this service's catalog and, for a caller restricted to certain sites, the
 * assets of those sites. For such a caller any other asset does not exist.
 */
import { invalidParameter, notFound, unknownType } from '../../base/errors.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { bindPredicate } from '../../query/bind.ts';
import { createPredicateCompiler } from '../../query/prepare.ts';
import { bindSort, type SortKey } from '../../query/sort.ts';
import type { ContentStore, FindRequest, StoredAsset, StoredText } from '../../store/port.ts';
import { type AssetPage, findWhole, type OpenPage, openPage, openTextPage, readMany } from './read-chunks.ts';
import { restrictToSites, siteOwnerField } from './restrict-to-sites.ts';

/** Who reads or writes content. */
export interface Caller {
  /** IDs of the sites that the caller is restricted to; absent means all assets. */
  readonly sites?: readonly string[];
  /** Aborted when the caller no longer waits for the response; searches then end. */
  readonly signal?: AbortSignal;
}

/** Which assets to find. */
export interface AssetQuery {
  /** Class name or type ID of a content type or an interface. */
  readonly from: string;
  /** Predicate text; absent means all assets of the type. */
  readonly where?: string;
  /** The values of the predicate's `?`: texts are converted to the field's type, other JSON values must fit it. */
  readonly values?: readonly unknown[];
  /** The most significant key first; ties are ordered by `_id` in the direction of the last key. Absent means by `_id`. */
  readonly sort?: readonly SortKey[];
  readonly offset: number;
  readonly limit: number;
  readonly withCount: boolean;
}

/** The reading half of the content service. */
export interface AssetFinder {
  /** Errors: not_found. */
  get(id: string, caller: Caller): Promise<StoredAsset>;
  /** Gets the same asset as JSON text. Errors: not_found. */
  getText(id: string, caller: Caller): Promise<StoredText>;
  /** Reads the assets among `ids` that the caller may see, in no order, chunk by chunk. */
  getMany(ids: readonly string[], caller: Caller): AsyncIterable<readonly Asset[]>;
  /**
   * Finds one page of the assets that match.
   *
   * Units: `offset` and `limit` count assets; limit 0 returns the count alone.
   * Errors: unknown_type, unknown_field, predicate_syntax, predicate_type, values_mismatch, invalid_parameter.
   */
  find(query: AssetQuery, caller: Caller): Promise<AssetPage>;
  /** Finds the same page as `find`, to be read in chunks, for pages too large for memory. Errors: those of `find`. */
  open(query: AssetQuery, caller: Caller): Promise<OpenPage>;
  /** Finds the same page as JSON texts, to be read in chunks. Errors: those of `find`. */
  openTexts(query: AssetQuery, caller: Caller): Promise<OpenPage<StoredText>>;
}

/** Creates the reading half of a content service over one catalog. */
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

  async function getText(id: string, caller: Caller): Promise<StoredText> {
    const stored = await store.texts.get(id.toLowerCase());
    if (!stored || !catalog.types.has(stored.type) || !isTextVisible(stored, caller)) throw notFound(id);
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
    return request ? openPage(store, request, (asset) => isVisible(asset, caller)) : emptyPage(query);
  }

  async function openTexts(query: AssetQuery, caller: Caller): Promise<OpenPage<StoredText>> {
    const request = toRequest(query, caller);
    return request ? openTextPage(store, request, (text) => isTextVisible(text, caller)) : emptyPage(query);
  }

  /** Builds the store's request; `undefined` when no type is searched. */
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

  return { get, getText, getMany, find, open, openTexts };
}

const empty = ({ withCount }: AssetQuery) => ({ items: [], ...(withCount ? { count: 0 } : {}) });

const emptyPage = ({ withCount }: AssetQuery) => ({ first: [], ...(withCount ? { count: 0 } : {}) });

/** Does the same as `isVisible`; only a caller restricted to sites needs the asset. */
const isTextVisible = ({ text }: StoredText, caller: Caller) =>
  // Every stored text is that of an asset.
  caller.sites === undefined || isVisible(JSON.parse(text) as Asset, caller);

/** Checks whether the caller may see an asset. */
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
