/**
 * Answers finds whose cost indexes bound, whatever the size of the store. Any other find needs `compileFind` and a reader thread.
 *
 * A page is bounded in one of three ways: an index has its order and finds the matching assets alone; an index finds a small
 * number of candidates, on which the rest of the predicate is tested; or an index has the order, and the page is full after a
 * limited number of its entries. Which way it is depends on the number of entries, so each index is first asked for as many as
 * the limit and one more.
 */
import type { BoundPredicate } from '../../../../query/ast.ts';
import { type BoundSort, sortById } from '../../../../query/sort.ts';
import type { FindRequest } from '../../../port.ts';
import type { Query, Row, RunQuery } from '../../connection.ts';
import { getType, type StoredType, type StoredTypes } from '../../indexes/stored-types.ts';
import { termsOf } from '../plan-order.ts';
import {
  compareRows,
  compileCandidateCount,
  compileCandidatePage,
  compileDistinctCount,
  compileKeyCount,
} from './candidates.ts';
import { chooseWalk } from './choose-walk.ts';
import { innerSearches, isExact, isInIdOrder, isServed, type TypeSearch } from './index-keys.ts';
import { compileRangeCount, compileWalk, listWalks, termsOfType, type Walk } from './index-walk.ts';
import { joinRanges } from './ranges.ts';

/** What could be answered at a bounded cost. */
export interface BoundedFind {
  /** The rows of the page, with the columns of `DocumentRequest`; absent when its cost is not bounded, or `limit` is 0. */
  readonly located?: readonly Row[];
  /** The number of matching assets; absent when its cost is not bounded, or `withCount` is false. */
  readonly count?: number;
}

/** The limits of one bounded find, for each type. */
export interface FindCeilings {
  /** Assets that an index finds and on which the rest of the predicate is tested. */
  readonly candidates: number;
  /** Entries of an index in the order of the page. */
  readonly visited: number;
  /** The same, when the document of each is read. */
  readonly read: number;
  /** Entries of an index that are counted, or passed over by an offset. */
  readonly counted: number;
  /** Terms whose indexes are asked. */
  readonly terms: number;
}

/** Limits that keep a find within some ten milliseconds. */
export const findCeilings: FindCeilings = {
  candidates: 1_000,
  visited: 5_000,
  read: 500,
  counted: 10_000,
  terms: 8,
};

/** A find and what it may cost. */
export interface BoundedSearch {
  readonly request: FindRequest;
  readonly types: StoredTypes;
  readonly ceilings?: FindCeilings;
}

/**
 * Finds what indexes bound. All queries must run on one connection with the SQL functions of predicates, in one snapshot.
 *
 * A page that is absent in the result, or a count, needs `compileFind`.
 */
export function findBounded(
  all: RunQuery,
  { request, types, ceilings = findCeilings }: BoundedSearch,
): BoundedFind {
  const { where, sort = sortById, limit, offset, withCount } = request;
  const names = [...new Set(request.types)];
  const isOne = names.length === 1;
  const page = isOne ? { limit, offset } : { limit: limit > 0 ? limit + offset : 0, offset: 0 };
  const wanted = where ? termsOf(where).filter((term) => term.kind !== 'constant' || !term.value) : [];
  const terms = joinRanges(wanted);
  const parts = names.map((name) => {
    const type = getType(types, name);
    const inType = termsOfType(terms, type);
    return findInType(all, { type, types, ceilings, terms: inType, sort, ...page, withCount });
  });
  const counts = parts.map(({ count }) => count);
  const pages = parts.map(({ located }) => located);
  return {
    ...(limit > 0 && pages.every((rows) => rows !== undefined) && { located: merge(pages, request) }),
    ...(withCount &&
      counts.every((n) => n !== undefined) && { count: counts.reduce((sum, n) => sum + n, 0) }),
  };
}

interface TypeFind {
  readonly type: StoredType;
  readonly types: StoredTypes;
  readonly ceilings: FindCeilings;
  readonly terms: readonly BoundPredicate[];
  readonly sort: BoundSort;
  readonly limit: number;
  readonly offset: number;
  readonly withCount: boolean;
}

function findInType(all: RunQuery, find: TypeFind): BoundedFind {
  if (find.terms.some((term) => term.kind === 'constant')) return { located: [], count: 0 };
  const walks = listWalks(find);
  const direct = walks.find(({ rest }) => rest.length === 0);
  if (direct) return walkDirectly(all, direct, find);
  const sources = findSources(all, find);
  const [best] = sources.toSorted((a, b) => a.size - b.size);
  if (best && best.size <= candidateCeiling(best, find)) return testCandidates(all, best, find);
  const walk = find.limit > 0 ? chooseWalk(all, walks, find) : undefined;
  const located = walk && walkBounded(all, walk, find);
  const count = countOfLastPage(located, find) ?? (find.withCount ? countSource(all, best, find) : undefined);
  return toResult(located, count);
}

const toResult = (located: readonly Row[] | undefined, count: number | undefined): BoundedFind => ({
  ...(located && { located }),
  ...(count !== undefined && { count }),
});

/** Returns the number of matching assets when a page shows it, as only the last page does. */
function countOfLastPage(located: readonly Row[] | undefined, { limit, offset, withCount }: TypeFind) {
  if (!withCount || !located || located.length === limit) return undefined;
  return located.length > 0 || offset === 0 ? offset + located.length : undefined;
}

/** Reads the page from an index whose range has exactly the matching assets, in order. */
function walkDirectly(all: RunQuery, walk: Walk, find: TypeFind): BoundedFind {
  const { terms, type, limit, withCount, ceilings } = find;
  const located = limit > 0 ? walkBounded(all, walk, find) : undefined;
  const known = countOfLastPage(located, find);
  if (known !== undefined || !withCount) return toResult(located, known);
  if (terms.length === 0) return toResult(located, toNumber(all(selectTotal(type))));
  const count = countRange(all, walk, { find, ceiling: ceilings.counted });
  return toResult(located, count);
}

/** A term that indexes serve, and how many entries they have for it, at most one more than the ceiling. */
interface Source extends TypeSearch {
  readonly size: number;
}

/** Finds how many entries the indexes have: exactly when one of them has few enough to test each. */
function findSources(all: RunQuery, find: TypeFind): Source[] {
  const { terms, type, types, ceilings } = find;
  const served = terms
    .map((predicate) => ({ predicate, type }))
    .filter((search) => isServed(search, types))
    .slice(0, ceilings.terms)
    .filter((search) => areFew(all, innerSearches(search, types), find));
  const few = served.map((search) => ({
    ...search,
    size: countKeys(all, search, { find, ceiling: ceilings.candidates }),
  }));
  // Beside other terms, only so few are tested or counted.
  if (terms.length > 1 || few.some(({ size }) => size <= ceilings.candidates)) return few;
  const ceiling = Math.max(ceilings.visited, ceilings.counted);
  return served.map((search) => ({ ...search, size: countKeys(all, search, { find, ceiling }) }));
}

/** Whether indexes find only few assets for each of these searches. */
function areFew(all: RunQuery, searches: readonly TypeSearch[], find: TypeFind): boolean {
  const ceiling = find.ceilings.candidates;
  return searches.every(
    (search) => isServed(search, find.types) && countKeys(all, search, { find, ceiling }) <= ceiling,
  );
}

interface Counting {
  readonly find: TypeFind;
  readonly ceiling: number;
}

const countKeys = (all: RunQuery, search: TypeSearch, { find: { types }, ceiling }: Counting) =>
  toNumber(all(compileKeyCount(search, { types, ceiling: ceiling + 1 })));

/** Counts the entries that a walk can visit; `undefined` when there are more than the ceiling. */
function countRange(all: RunQuery, walk: Walk, { find: { type, types }, ceiling }: Counting) {
  const count = toNumber(all(compileRangeCount(walk, { type, types, ceiling: ceiling + 1 })));
  return count <= ceiling ? count : undefined;
}

/** Returns how many assets of a source may be looked up: more when no document is read for a condition or for the order. */
function candidateCeiling({ predicate }: Source, { terms, sort, ceilings }: TypeFind): number {
  const isSortedById = sort.every(({ path }) => path.leaf.kind === 'id' || path.leaf.kind === 'type');
  const readsDocuments = terms.length > 1 || !isExact(predicate) || !isSortedById;
  return readsDocuments ? ceilings.candidates : Math.max(ceilings.candidates, ceilings.visited);
}

/** Tests the whole predicate on the assets that an index finds. */
function testCandidates(all: RunQuery, source: Source, find: TypeFind): BoundedFind {
  const located = find.limit > 0 ? all(compileCandidatePage(source, find)) : undefined;
  const count =
    countOfLastPage(located, find) ??
    (find.withCount ? toNumber(all(compileCandidateCount(source, find))) : undefined);
  return toResult(located, count);
}

/** Counts the assets that one index finds exactly. */
function countSource(all: RunQuery, source: Source | undefined, { terms, types, ceilings }: TypeFind) {
  if (!source || terms.length > 1 || !isExact(source.predicate) || source.size > ceilings.counted)
    return undefined;
  return isInIdOrder(source) ? source.size : toNumber(all(compileDistinctCount(source, types)));
}

/** Walks an index that has the order, until the page is full or no entry is left. */
function walkBounded(all: RunQuery, walk: Walk, find: TypeFind): readonly Row[] | undefined {
  const { type, types, limit, offset, ceilings } = find;
  const visited = ceilingOf(walk, offset + limit, ceilings);
  if (visited === undefined) return undefined;
  const rows = all(compileWalk(walk, { type, types, visited, limit, offset }));
  const isWhole = rows.length === limit || walk.rest.length === 0;
  return isWhole || countRange(all, walk, { find, ceiling: visited }) !== undefined ? rows : undefined;
}

/** Returns how many entries are visited at most; `undefined` when the end of the page is beyond the ceiling. */
function ceilingOf({ rest, readsDocuments }: Walk, end: number, ceilings: FindCeilings): number | undefined {
  if (rest.length === 0) return end <= ceilings.counted ? end : undefined;
  const ceiling = readsDocuments ? ceilings.read : ceilings.visited;
  return end <= ceiling ? ceiling : undefined;
}

const selectTotal = ({ number }: StoredType): Query => ({
  sql: 'SELECT total FROM types WHERE number = ?1',
  params: [number],
});

const toNumber = ([row]: readonly Row[]) => Number(row?.[0] ?? 0);

/** Joins the pages of several types in order. */
function merge(
  pages: readonly (readonly Row[])[],
  { sort = sortById, limit, offset }: FindRequest,
): readonly Row[] {
  const [first = [], ...others] = pages;
  if (others.length === 0) return first;
  const compare = compareRows(sort);
  const rows = pages.flat().sort((a, b) => compare(a.slice(3), b.slice(3)));
  return rows.slice(offset, offset + limit);
}
