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
import { innerSearches, isExact, isInIdOrder, isServed, type TypeSearch } from './index-keys.ts';
import { compileRangeCount, compileWalk, listWalks, type Walk } from './index-walk.ts';

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
  const terms = where ? termsOf(where).filter((term) => term.kind !== 'constant' || !term.value) : [];
  const parts = names.map((name) =>
    findInType(all, { type: getType(types, name), types, ceilings, terms, sort, ...page, withCount }),
  );
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
  const isAnswered = find.terms.length === 0 || (direct !== undefined && !find.withCount);
  const [best] = isAnswered ? [] : findSources(all, find).toSorted((a, b) => a.size - b.size);
  if (!direct && best && best.size <= find.ceilings.candidates) return testCandidates(all, best, find);
  const count = find.withCount ? countBounded(all, best, find) : undefined;
  const located = find.limit > 0 ? walkBounded(all, direct ? [direct] : walks, find) : undefined;
  return { ...(located && { located }), ...(count !== undefined && { count }) };
}

/** A term that indexes serve, and how many entries they have for it, at most one more than `counted`. */
interface Source extends TypeSearch {
  readonly size: number;
}

function findSources(all: RunQuery, find: TypeFind): Source[] {
  const { terms, type, types } = find;
  const served = terms.map((predicate) => ({ predicate, type })).filter((search) => isServed(search, types));
  return served.slice(0, find.ceilings.terms).flatMap((search) => {
    const isBounded = innerSearches(search, types).every(
      (inner) => isServed(inner, types) && countKeys(all, inner, find) <= find.ceilings.candidates,
    );
    return isBounded ? [{ ...search, size: countKeys(all, search, find) }] : [];
  });
}

const countKeys = (all: RunQuery, search: TypeSearch, { types, ceilings }: TypeFind) =>
  toNumber(all(compileKeyCount(search, { types, ceiling: ceilings.counted + 1 })));

/** Tests the whole predicate on the assets that an index finds. */
function testCandidates(all: RunQuery, source: Source, find: TypeFind): BoundedFind {
  const { limit, offset, withCount } = find;
  const located = limit > 0 ? all(compileCandidatePage(source, find)) : undefined;
  if (!withCount) return located ? { located } : {};
  const isLastPage = located && located.length < limit && (located.length > 0 || offset === 0);
  const count = isLastPage ? offset + located.length : toNumber(all(compileCandidateCount(source, find)));
  return located ? { located, count } : { count };
}

/** Counts the assets of a type, or those that one index finds exactly. */
function countBounded(all: RunQuery, source: Source | undefined, find: TypeFind): number | undefined {
  const { terms, type, types } = find;
  if (terms.length === 0) return toNumber(all(selectTotal(type)));
  if (!source || source.size > find.ceilings.candidates) {
    const isAll =
      source && terms.length === 1 && isExact(source.predicate) && source.size <= find.ceilings.counted;
    if (!isAll) return undefined;
    return isInIdOrder(source) ? source.size : toNumber(all(compileDistinctCount(source, types)));
  }
  return toNumber(all(compileCandidateCount(source, find)));
}

/** Walks the indexes that have the order, until one gives a whole page or has no more entries. */
function walkBounded(all: RunQuery, walks: readonly Walk[], find: TypeFind): Row[] | undefined {
  const { type, types, limit, offset } = find;
  for (const walk of walks.slice(0, find.ceilings.terms)) {
    const visited = ceilingOf(walk, offset + limit, find.ceilings);
    if (visited === undefined) continue;
    const rows = all(compileWalk(walk, { type, types, visited, limit, offset }));
    if (rows.length === limit || walk.rest.length === 0) return rows;
    if (toNumber(all(compileRangeCount(walk, { type, types, ceiling: visited + 1 }))) <= visited) return rows;
  }
  return undefined;
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
  return pages
    .flat()
    .sort(compare)
    .slice(offset, offset + limit);
}
