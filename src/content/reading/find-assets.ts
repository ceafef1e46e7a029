/**
 * Finds assets: one by `_id`, several by their `_id`s, and pages by predicate and sort order.
 *
 * This file decides what a caller may see: types of this service's catalog and, for a caller restricted to certain sites, the
 * assets of those sites. For such a caller any other asset does not exist.
 */

import { invalidParameter, notFound } from '../../base/errors.ts';
import { getType } from '../../model/catalog.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { countComparisons, partsOf, stepsOf } from '../../query/ast.ts';
import { allOf } from '../../query/build-comparison.ts';
import { bindFacets, type FacetValue, facetLimits } from '../../query/facets.ts';
import type { SortPosition } from '../../query/keyset.ts';
import { predicateLimits } from '../../query/limits.ts';
import { parsePredicate } from '../../query/parse.ts';
import { bindPredicate, createPredicateCompiler } from '../../query/prepare.ts';
import { printPredicate } from '../../query/print.ts';
import { type BoundSort, bindSort, type SortKey, sortById, toWrittenValue } from '../../query/sort.ts';
import type { FoundFacets } from '../../store/facets.ts';
import type { ContentStore, FindRequest, StoredAsset, StoredText } from '../../store/port.ts';
import type { SearchPlan } from '../../store/search-plan.ts';
import { createPageCursors, offsetWithCursor, type PageCursors } from './page-cursor.ts';
import { type AssetPage, findWhole, type OpenPage, openPage, openTextPage, readMany } from './read-chunks.ts';
import { isVisible, restrictToSites } from './site-visibility.ts';

/** Who reads or writes content. */
export interface Caller {
  /** IDs of the sites that the caller is restricted to; absent means all assets. */
  readonly sites?: readonly string[];
  /** The release whose content a GraphQL operation reads; absent means the live content. Only `finderOf` of the content service heeds it. */
  readonly release?: string;
  /** Aborted when the caller no longer waits for the response; searches then end. */
  readonly signal?: AbortSignal;
}

/** A page of JSON texts. */
interface TextPage extends OpenPage<StoredText> {
  /** Class names of the types that the search has read. */
  readonly readTypes: readonly string[];
}

export interface AssetQuery extends SearchTerms {
  /** The most significant key first; ties are ordered by `_id` in the direction of the last key. Absent means by `_id`. */
  readonly sort?: readonly SortKey[];
  readonly offset: number;
  readonly limit: number;
  /** Asks for a page by cursor: the `next` of the page before, or an empty text to begin. Without `offset`; `limit` is not 0. */
  readonly cursor?: string;
  /** Other parts of the request that a cursor is bound to. */
  readonly boundTo?: readonly unknown[];
  /** By cursor, the count is that of the first page only. */
  readonly withCount: boolean;
}

/** The fields to count the values of, and the assets among which to count. */
interface FacetQuery extends SearchTerms {
  /** JSON names of indexed fields, or paths into embedded values. */
  readonly facets: readonly string[];
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
   * Errors: unknown_type, unknown_field, predicate_syntax, predicate_type, values_mismatch, cursor_mismatch, invalid_parameter.
   */
  find(query: AssetQuery, caller: Caller): Promise<AssetPage>;
  /** Finds the same page as `find`, to be read in chunks, for pages too large for memory. Errors: those of `find`. */
  open(query: AssetQuery, caller: Caller): Promise<OpenPage>;
  /** Finds the same page as JSON texts, to be read in chunks. Errors: those of `find`. */
  openTexts(query: AssetQuery, caller: Caller): Promise<TextPage>;
  /** Checks a search without running it. Errors: those of `find` that are about its terms. */
  check(terms: SearchTerms, caller: Caller): void;
  /** Counts the values of fields among all assets that match. Errors: those of `find`; invalid_parameter `facets`. */
  facets(query: FacetQuery, caller: Caller): Promise<Facets>;
  /** Runs the search for a page again, and tells how. Errors: those of `find`; invalid_parameter `explain` by cursor. */
  explain(query: AssetQuery, caller: Caller): Promise<ExplainedSearch>;
}

/** How a search has run; `predicate` is the text that its predicate was understood as. */
export interface ExplainedSearch extends SearchPlan {
  readonly predicate: string;
}

/** Creates the reading half of a content service over one catalog. */
export function createAssetFinder({
  catalog,
  store,
}: {
  catalog: Catalog;
  store: ContentStore;
}): AssetFinder {
  const toSearch = createSearchCompiler(catalog);

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
    const { request, cursors } = toRequest(query, caller);
    return request ? withCursor(await findWhole(store, request), cursors) : empty(query);
  }

  async function open(query: AssetQuery, caller: Caller): Promise<OpenPage> {
    const { request, cursors } = toRequest(query, caller);
    if (!request) return emptyPage(query);
    return withCursor(await openPage(store, request, (asset) => isVisible(asset, caller)), cursors);
  }

  async function openTexts(query: AssetQuery, caller: Caller): Promise<TextPage> {
    const { request, cursors, readTypes } = toRequest(query, caller);
    if (!request) return { ...emptyPage(query), readTypes };
    const page = await openTextPage(store, request, (text) => isTextVisible(text, caller));
    return { ...withCursor(page, cursors), readTypes };
  }

  async function facets({ facets: names, ...query }: FacetQuery, caller: Caller): Promise<Facets> {
    const { types, where } = toSearch(query, caller);
    const paths = bindFacets(catalog, types, names);
    const request = { types, paths, limit: facetLimits.values, signal: caller.signal };
    const isEmpty = types.length === 0 || paths.length === 0;
    const found = isEmpty ? [] : await store.facets({ ...request, ...(where && { where }) });
    return toFacets(paths, found);
  }

  async function explain(query: AssetQuery, caller: Caller): Promise<ExplainedSearch> {
    const { where, cursor } = query;
    if (cursor !== undefined) throw invalidParameter('explain', 'cannot be combined with "cursor"');
    const { request } = toRequest(query, caller);
    const plan = request ? await store.explain(request) : { indexes: [], rowsVisited: 0, ms: 0 };
    return { predicate: where === undefined ? 'true' : printPredicate(parsePredicate(where)), ...plan };
  }

  /** Builds the store's request, which is `undefined` when no type is searched. */
  function toRequest(query: AssetQuery, caller: Caller): FindPlan {
    const { type, types, readTypes, where } = toSearch(query, caller);
    const { offset, limit, withCount } = query;
    const sort = query.sort && bindSort(catalog, types, query.sort);
    const cursors = toCursors({ query, caller, sort: sort ?? sortById, from: type.class });
    const after = cursors?.decode(query.cursor ?? '');
    if (types.length === 0) return { readTypes };
    const { signal } = caller;
    const given = { ...(where && { where }), ...(sort && { sort }), ...(signal && { signal }) };
    const request = { types, offset, limit, withCount: withCount && !after, ...given };
    return cursors
      ? { request: { ...request, keyset: after ? { after } : {} }, cursors, readTypes }
      : { request, readTypes };
  }

  const isThere = (asset: Asset, caller: Caller) =>
    catalog.types.has(asset._type) && isVisible(asset, caller);

  const check = (terms: SearchTerms, caller: Caller) => void toSearch(terms, caller);

  return { get, getText, getMany, find, open, openTexts, check, facets, explain };
}

/** The store's request, and the cursors of a page by cursor. */
interface FindPlan {
  readonly request?: FindRequest;
  readonly cursors?: PageCursors;
  readonly readTypes: readonly string[];
}

interface CursorScope {
  readonly query: AssetQuery;
  readonly caller: Caller;
  readonly sort: BoundSort;
  /** The class name of the type that `from` names. */
  readonly from: string;
}

/** Creates the cursors of a query by cursor. Errors: invalid_parameter. */
function toCursors({ query, caller, sort, from }: CursorScope): PageCursors | undefined {
  const { cursor, offset, limit, where, filter, values = [], sort: keys = [], boundTo = [] } = query;
  if (cursor === undefined) return undefined;
  if (offset !== 0) throw offsetWithCursor();
  if (limit === 0) throw invalidParameter('limit', 'must be at least 1 with "cursor"');
  const order = keys.map(({ field, descending }) => [field, descending]);
  const sites = caller.sites ? caller.sites.toSorted() : null;
  return createPageCursors(sort, [
    from,
    where ?? null,
    values,
    order,
    boundTo,
    sites,
    filter && printFilter(filter),
  ]);
}

/** Writes a filter as text, the same for the same filter. */
const printFilter = (filter: BoundPredicate) =>
  JSON.stringify(filter, (name, value) => (name === 'path' ? value.text : value));

/** Replaces the position at which the next page begins by a cursor. */
const withCursor = <Page extends { readonly next?: SortPosition }>(
  { next, ...page }: Page,
  cursors: PageCursors | undefined,
) => ({ ...page, ...(next && cursors && { next: cursors.encode(next) }) });

const empty = ({ withCount }: AssetQuery) => ({ items: [], ...(withCount ? { count: 0 } : {}) });

const emptyPage = ({ withCount }: AssetQuery) => ({ first: [], ...(withCount ? { count: 0 } : {}) });

/** Does the same as `isVisible`; only a caller restricted to sites needs the asset. */
export const isTextVisible = ({ text }: StoredText, caller: Caller) =>
  // Every stored text is that of an asset.
  caller.sites === undefined || isVisible(JSON.parse(text) as Asset, caller);

// Compiles what a request says about the assets that it wants: the types to search, and the predicate with the caller's restriction.

/** Which assets a request is about. */
export interface SearchTerms {
  /** Class name or type ID of a content type or an interface. */
  readonly from: string;
  /** Predicate text; absent means all assets of the type. */
  readonly where?: string;
  /** A compiled predicate that must hold as well. */
  readonly filter?: BoundPredicate;
  /** The values of the predicate's `?`: texts are converted to the field's type, other JSON values must fit it. */
  readonly values?: readonly unknown[];
}

interface CompiledSearch {
  /** The type or interface that `from` names. */
  readonly type: ContentType;
  /** Class names of the concrete types; none for an interface that no type implements. */
  readonly types: readonly string[];
  /** Class names of the types that the search reads: those, and the ones that its predicate goes on to through references. */
  readonly readTypes: readonly string[];
  /** The predicate of the request. */
  readonly asked: BoundPredicate | undefined;
  /** The same, restricted to the sites of the caller. */
  readonly where: BoundPredicate | undefined;
}

/** Compiles a search. Errors: unknown_type, unknown_field, predicate_syntax, predicate_type, values_mismatch, invalid_parameter. */
export type SearchCompiler = (
  terms: SearchTerms,
  caller: { readonly sites?: readonly string[] },
) => CompiledSearch;

/** Creates the compiler of one catalog, which caches predicates. */
export function createSearchCompiler(catalog: Catalog): SearchCompiler {
  const predicates = createPredicateCompiler(catalog);

  function compileWhere(types: readonly string[], { where, values = [] }: SearchTerms): Asked {
    if (where !== undefined) {
      const checked = predicates.prepare(types, where);
      const { targets } = checked;
      const readTypes = targets.length > 0 ? [...new Set([...types, ...targets])] : types;
      return { asked: bindPredicate(checked, values), readTypes };
    }
    if (values.length > 0) throw invalidParameter('values', 'needs a predicate in "where" to fill');
    return { asked: undefined, readTypes: types };
  }

  return (terms, caller) => {
    const type = getType(catalog, terms.from, 'from');
    const types = catalog.concrete(type);
    const { asked, readTypes } = addFilter(compileWhere(types, terms), terms.filter);
    return {
      type,
      types,
      readTypes,
      asked,
      where: caller.sites ? restrictToSites(asked, caller.sites) : asked,
    };
  };
}

type Asked = Pick<CompiledSearch, 'asked' | 'readTypes'>;

/** Adds a filter to what `where` asks for. */
function addFilter({ asked, readTypes }: Asked, filter: BoundPredicate | undefined): Asked {
  if (!filter) return { asked, readTypes };
  const both = asked ? allOf([asked, filter]) : filter;
  assertMeasure(both, asked !== undefined);
  return { asked: both, readTypes: [...new Set([...readTypes, ...targetsOf(filter)])] };
}

/** The text of a predicate has been measured alone. */
function assertMeasure(predicate: BoundPredicate, isJoined: boolean): void {
  const { comparisons, operands } = predicateLimits;
  const together = isJoined ? ' together with "where"' : '';
  if (countComparisons(predicate) > comparisons)
    throw invalidParameter('filter', `has more than ${comparisons} comparisons${together}`);
  if (countValues(predicate) > operands)
    throw invalidParameter('filter', `has more than ${operands} values${together}`);
}

const countValues = (predicate: BoundPredicate) =>
  partsOf(predicate)
    .filter(({ kind }) => kind !== 'any')
    .reduce((sum, part) => sum + (part.kind === 'equals' ? part.values.length : 1), 0);

/** Lists the classes that a predicate goes on to through references. */
export const targetsOf = (predicate: BoundPredicate) => stepsOf(predicate).flatMap(({ targets }) => targets);

/** The most frequent values of each field by its path. */
type Facets = Readonly<Record<string, readonly FacetValue[]>>;

/** Longer texts are no values to choose from, and many of them would make a response too large. */
const maxCharacters = 2_000;

/** Returns the values of each path. Errors: invalid_parameter `facets` for a field with a text of more than 2,000 characters. */
function toFacets(paths: readonly FieldPath[], found: FoundFacets): Facets {
  return Object.fromEntries(
    paths.map((path, n) => {
      const { text } = path;
      const values = (found[n] ?? []).map(({ value, count }) => ({
        value: toWrittenValue(path, value),
        count,
      }));
      const long = values.some(({ value }) => typeof value === 'string' && value.length > maxCharacters);
      if (!long) return [text, values];
      const reason = `cannot count the values of ${JSON.stringify(text)}: one has more than ${maxCharacters} characters`;
      throw invalidParameter('facets', reason);
    }),
  );
}
