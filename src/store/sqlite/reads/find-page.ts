/**
 * Finds a page and its count, one statement each: the selects of the types are merged, each forced to the index that
 * `choose-driver.ts` has chosen, and the documents of the page alone are located.
 *
 * It runs on the main thread, where a statement that visits too many rows is stopped, and on a reader thread, which has the time.
 */
import type { BoundPredicate } from '../../../query/ast.ts';
import { termsOf } from '../../../query/build-comparison.ts';
import { evaluatePredicate } from '../../../query/evaluate.ts';
import type { SortPosition } from '../../../query/keyset.ts';
import { familyOf } from '../../../query/operators.ts';
import { type BoundSort, compareInOrder, sortById } from '../../../query/sort.ts';
import { chunkBytes, type FindRequest } from '../../port.ts';
import type { Query, Row, RunQuery } from '../connection.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/stored-types.ts';
import { chooseDriver, type DrivenSearch, fewOfValue } from './choose-driver.ts';
import { type OrderRange, orderOf } from './order-ranges.ts';
import { compileCount, compileEnd, compilePage, type LimitedQuery, type Part } from './page-statements.ts';
import { type FoundDocuments, readFirst } from './read-documents.ts';

/** Where a search runs. */
export interface SearchRun {
  readonly all: RunQuery;
  /** Runs a statement; `undefined` when it was stopped because it visits more rows. */
  readonly within: (maxRows: number, search: () => Row[]) => Row[] | undefined;
  /** So many entries of an index are found at once on the main thread; absent on a reader thread. */
  readonly few?: number;
}

/** Runs a search on a reader thread. */
export const onThread = (all: RunQuery): SearchRun => ({
  all,
  within: (_, search) => search(),
});

/** The assets of a range of an order. */
export interface RangeSearch {
  readonly where: BoundPredicate | undefined;
  readonly sort: BoundSort;
  readonly types: StoredTypes;
  readonly range: OrderRange;
}

/** So many entries of any index are few wherever a search runs. */
export const fewEntries = 1_000;
/** How many rows a count of entries visits on the main thread. */
const maxCounted = 10_000;

/** Reads a page and its count: what is not asked for, or visits too many rows, is left out. Errors: query_too_costly, SQLite's. */
export function readPage(
  run: SearchRun,
  request: Omit<FindRequest, 'signal' | 'client'>,
  types: StoredTypes,
): Partial<FoundDocuments> {
  const { where, sort = sortById, limit, offset, withCount } = request;
  const range = { classes: [...new Set(request.types)] };
  const search = { where, sort, types, range };
  const parts = limit > 0 ? toParts(run, search, fewFor(run)) : undefined;
  const located = parts && locateParts(run, parts, { search, limit, offset });
  // The last page shows how many there are.
  const isLast = located && located.length < limit && (located.length > 0 || offset === 0);
  const count = !withCount ? undefined : isLast ? offset + located.length : countMatches(run, search, parts);
  const documents = located && readFirst(run.all, { located, maxBytes: chunkBytes });
  return { ...documents, ...(count !== undefined && { count }) };
}

/** Returns what of a request was not found. */
export const missingIn = (
  { rows, count }: Partial<FoundDocuments>,
  { limit, withCount }: Pick<FindRequest, 'limit' | 'withCount'>,
) => ({ limit: rows ? 0 : limit, withCount: withCount && count === undefined });

/** How many assets of a range are located, and behind how many. */
interface PartOfRange {
  readonly limit: number;
  readonly offset: number;
}

/** Locates assets of a range; `undefined` when that visits too many rows. */
export const locate = (run: SearchRun, search: RangeSearch, page: PartOfRange): Row[] | undefined =>
  locateParts(run, toParts(run, search, fewFor(run)), { search, ...page });

const locateParts = (
  run: SearchRun,
  parts: readonly Part[],
  page: PartOfRange & { readonly search: RangeSearch },
): Row[] | undefined =>
  parts.length === 0 ? [] : runWithin(run, compilePage(parts, { isByRow: run.few !== undefined, ...page }));

/** A window of a range: the matches among the next entries of the indexes that have its order. */
export interface LocatedWindow {
  readonly located: Row[];
  /** Where the window ends; absent when it reaches the end of the range. */
  readonly end?: SortPosition;
}

/** Whether indexes have the order of a range. */
export const isInOrder = ({ where, sort, types, range }: RangeSearch): boolean =>
  range.classes.every((name) => {
    const terms = where ? termsOf(where) : [];
    return orderOf({ sort, terms }, getType(types, name), range).isWhole;
  });

/** How much of a range a window is. */
interface WindowPart {
  /** Whether it is a part of it, as it can be where indexes have the order. */
  readonly isPart: boolean;
  readonly visited: number;
  readonly limit: number;
}

/** Locates assets among the next `visited` entries of a range, or among all of them. */
export function locateWindow(
  run: SearchRun,
  search: RangeSearch,
  { isPart, visited, limit }: WindowPart,
): LocatedWindow {
  const parts = toParts(run, search, isPart ? fewUpTo(fewEntries) : fewFor(run));
  const walks = isPart
    ? parts.filter(({ driver }) => driver.index !== undefined && driver.few === undefined)
    : [];
  const [end] = walks
    .flatMap((part) => run.all(compileEnd(part, visited)))
    .map((values) => toPosition(values, search.sort))
    .sort((a, b) => compareInOrder(search.sort, (n) => [a[n], b[n]]));
  const range = { ...search.range, ...(end && { upTo: end }) };
  const within = parts.map((part) => ({ ...part, range }));
  const page = { search, isByRow: isPart, limit, offset: 0 };
  const located = parts.length === 0 ? [] : run.all(compilePage(within, page).query);
  return { located, ...(end && { end }) };
}

/** Converts the values that a row is sorted by: SQLite has no booleans. */
export const toPosition = (values: Row, sort: BoundSort): SortPosition =>
  values.map((value, n) => {
    const leaf = sort[n]?.path.leaf;
    return value !== null && leaf && familyOf(leaf) === 'boolean' ? value === 1 : value;
  });

type FewOf = (type: StoredType) => DrivenSearch['few'];

const fewUpTo = (few: number) => () => ({ ofValue: few, otherwise: few });

/** On a reader thread, an eighth of the assets of a type are sorted rather than that all of them are walked. */
function fewFor({ all, few }: SearchRun): FewOf {
  if (few !== undefined) return fewUpTo(few);
  return ({ number }) => {
    const [row] = all({ sql: 'SELECT total / 8 FROM types WHERE number = ?1', params: [number] });
    return { ofValue: fewOfValue, otherwise: Math.max(fewEntries, Number(row?.[0] ?? 0)) };
  };
}

function toParts(run: SearchRun, search: RangeSearch, fewOf: FewOf, isOrdered = true): Part[] {
  const { where, sort, types, range } = search;
  const all = where ? termsOf(where) : [];
  const probe = (query: Query) => run.within(maxCounted, () => run.all(query))?.[0];
  return range.classes.flatMap((name) => {
    const type = getType(types, name);
    const terms = termsOfType(all, type);
    if (terms.some(({ kind }) => kind === 'constant')) return [];
    const order = isOrdered ? orderOf({ sort, terms }, type, range) : undefined;
    const part = { type, types, sort, terms, range, few: fewOf(type), ...(order && { order }) };
    return [{ ...part, driver: chooseDriver(probe, part) }];
  });
}

/** Leaves out the terms that hold for all assets of a type; a constant remains if one holds for none. */
const termsOfType = (terms: readonly BoundPredicate[], { class: _type }: StoredType): BoundPredicate[] =>
  terms.flatMap((term): BoundPredicate[] => {
    if (term.kind !== 'constant' && !('path' in term && term.path.leaf.kind === 'type')) return [term];
    const holds = evaluatePredicate({ predicate: term, asset: { _id: '', _type }, resolve: () => undefined });
    return holds ? [] : [{ kind: 'constant', value: false }];
  });

/** Whether it is known that the main thread would stop a statement. */
const isTooMuch = ({ few }: SearchRun, parts: readonly Part[]) =>
  few !== undefined && parts.some(({ driver }) => driver.isMany);

const runWithin = ({ within, all }: SearchRun, { query, rows }: LimitedQuery) =>
  within(rows, () => all(query));

/** Counts the matches; `undefined` when that visits too many rows. The parts of the page serve the count of several terms, too, if all find few assets. */
function countMatches(run: SearchRun, search: RangeSearch, ofPage?: readonly Part[]): number | undefined {
  const isOfFew = ofPage?.every(({ driver, terms }) => driver.few !== undefined && terms.length > 1);
  const parts = ofPage && isOfFew ? ofPage : toParts(run, search, fewFor(run), false);
  if (isTooMuch(run, parts)) return undefined;
  if (parts.length === 0) return 0;
  const rows = runWithin(run, compileCount(parts, { types: search.types, isByRow: run.few !== undefined }));
  return rows && Number(rows[0]?.[0] ?? 0);
}
