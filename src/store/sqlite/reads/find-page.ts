/**
 * Finds a page and its count, one statement each: the selects of the types are merged, each forced to the index that
 * `choose-index.ts` has chosen, and the documents of the page alone are located.
 *
 * It runs on the main thread, where a statement that visits too many rows is stopped, and on a reader thread, which has the time.
 */

import type { BoundPredicate, BoundValue } from '../../../query/ast.ts';
import { allOf, termsOf } from '../../../query/build-comparison.ts';
import { evaluatePredicate } from '../../../query/evaluate.ts';
import type { SortPosition } from '../../../query/keyset.ts';
import { familyOf } from '../../../query/operators.ts';
import { type BoundSort, type BoundSortKey, compareInOrder, sortById } from '../../../query/sort.ts';
import { chunkBytes, type FindRequest } from '../../port.ts';
import type { Query, Row, RunQuery } from '../connection.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/field-indexes.ts';
import {
  type AccessPath,
  chooseAccessPath,
  fewOfValue,
  findFixed,
  limitsOf,
  type OrderRange,
  orderOf,
  type TypeSearch,
} from './choose-index.ts';
import { isReadingDocuments, notCancelled, type RowOptions } from './compile-path.ts';
import { type Conditions, createConditions } from './compile-predicate.ts';
import { quoteText, reachValues, typedValue, valueKind, valueSteps } from './document-path.ts';
import { canProbe, columnPath, findColumn, isExact, isOnceEach } from './index-keys.ts';
import { type FoundDocuments, readFirst } from './read-documents.ts';

/** Where a search runs. */
export interface SearchRun {
  readonly all: RunQuery;
  /** Runs a statement; `undefined` when it was stopped because it visits more rows. */
  readonly within: (maxRows: number, search: () => Row[]) => Row[] | undefined;
  /** So many entries of an index are found at once on the main thread; absent on a reader thread. */
  readonly few?: number;
}

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
interface LocatedWindow {
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
    ? parts.filter(({ accessPath }) => accessPath.index !== undefined && accessPath.few === undefined)
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

type FewOf = (type: StoredType) => TypeSearch['few'];

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
    return [{ ...part, accessPath: chooseAccessPath(probe, part) }];
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
  few !== undefined && parts.some(({ accessPath }) => accessPath.isMany);

const runWithin = ({ within, all }: SearchRun, { query, rows }: LimitedQuery) =>
  within(rows, () => all(query));

/** Counts the matches; `undefined` when that visits too many rows. The parts of the page serve the count of several terms, too, if all find few assets. */
function countMatches(run: SearchRun, search: RangeSearch, ofPage?: readonly Part[]): number | undefined {
  const isOfFew = ofPage?.every(({ accessPath, terms }) => accessPath.few !== undefined && terms.length > 1);
  const parts = ofPage && isOfFew ? ofPage : toParts(run, search, fewFor(run), false);
  if (isTooMuch(run, parts)) return undefined;
  if (parts.length === 0) return 0;
  const rows = runWithin(run, compileCount(parts, { types: search.types, isByRow: run.few !== undefined }));
  return rows && Number(rows[0]?.[0] ?? 0);
}

// Compiles the statements of a search: the page, the entry at which a window ends, and the count. Each merges the selects of its types,
// each of which is forced to its access path.

/** One type of a search, and how its assets are found. */
interface Part extends TypeSearch {
  readonly accessPath: AccessPath;
}

/** How many rows a statement visits on the main thread: of few assets, of an index alone, of indexes, and of documents. */
const maxRows = { few: 20_000, index: 10_000, columns: 5_000, documents: 500 };

/** A statement, and how many rows it may visit on the main thread. */
interface LimitedQuery {
  readonly query: Query;
  readonly rows: number;
}

interface PageRequest {
  readonly search: { readonly sort: BoundSort; readonly types: StoredTypes };
  readonly isByRow: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Compiles the page: its rows have the columns of `readFirst`, and the values that they are sorted by. */
function compilePage(parts: readonly Part[], { search, isByRow, limit, offset }: PageRequest): LimitedQuery {
  const conditions = createConditions(search.types);
  const values = search.sort.map((_, n) => `sort${n}`);
  const selects = parts.map((part) => {
    const isBounded = isWholeRange(part) && limit + offset <= maxRows.index;
    return `SELECT key AS wanted, ${selectFrom(part, { conditions, isByRow, isBounded })}`;
  });
  const [rows, from] = [limit, offset].map((number) => toInteger(conditions, number));
  const sql = `SELECT key, id, octet_length(document), ${values.join(', ')} FROM (
      ${selects.join(' UNION ALL ')} ${orderBy(parts)} LIMIT ${rows} OFFSET ${from}
    ) CROSS JOIN assets ON key = wanted WHERE ${notCancelled}`;
  return toLimited(sql, { conditions, parts, selects });
}

/** Compiles the values of the entry at which a window ends; there is none when fewer are left. */
function compileEnd(part: Part, visited: number): Query {
  const { types, type, sort, accessPath, order } = part;
  const conditions = createConditions(types);
  const tested = part.terms.filter((term) => {
    const path = columnPath(term, type);
    const column = path && findColumn(path, type);
    const isOfWalk =
      column?.name === accessPath.index || (column?.column === 'id' && order?.keys.length === 1);
    return isOfWalk && !isOfSeveral(term, part);
  });
  const select = `SELECT ${selectFrom(part, { conditions, tested, isByRow: true, isBounded: true })}`;
  const values = sort.map((_, n) => `sort${n}`).join(', ');
  const last = toInteger(conditions, visited - 1);
  const sql = `SELECT ${values} FROM (${select} ${orderBy([part])} LIMIT 1 OFFSET ${last})`;
  return { sql, params: conditions.params };
}

/** Hides a number from the planner, which would otherwise prepare the statement again for every value. */
const toInteger = ({ add }: Conditions, value: number) => `CAST(${add(value)} AS INTEGER)`;

/** Orders by the keys that differ. */
function orderBy([part]: readonly Part[]): string {
  const { sort = [], terms = [] } = part ?? {};
  const keys = sort.flatMap((key, n) =>
    findFixed(key, terms) === undefined ? `sort${n}${key.descending ? ' DESC' : ''}` : [],
  );
  return `ORDER BY ${keys.join(', ')}`;
}

interface Compiling extends Pick<RowOptions, 'isByRow' | 'isBounded'> {
  readonly conditions: Conditions;
  readonly isCount?: boolean;
  /** The terms that are tested; absent means all. */
  readonly tested?: readonly BoundPredicate[];
}

/** Compiles the values to sort by, FROM and WHERE of the select of the matches of one type. */
function selectFrom(part: Part, { tested = part.terms, ...compiling }: Compiling): string {
  const { sort, type, range, order } = part;
  const { add } = compiling.conditions;
  const values = sort.map((key, n) => `${sortValue(key, part, add)} AS sort${n}`);
  const readsDocument = sort.some((key) => isInDocument(key, part));
  const { term: after, ...limits } = order ? limitsOf(range, { sort, order, type, add }) : {};
  const own = tested.map((term) => (isHidden(term, part) ? not(not(term)) : term));
  const terms = after ? [...own, after] : own;
  return `${values.join(', ')} ${rowsOf({ ...part, terms }, { ...compiling, ...limits, readsDocument })}`;
}

/** Whether a term has several values of the column that has the order, each of which SQLite would search from its start. */
function isOfSeveral(term: BoundPredicate, { order, type }: Part): boolean {
  const path = term.kind === 'equals' && term.values.length > 1 ? columnPath(term, type) : undefined;
  return path !== undefined && findColumn(path, type)?.column === order?.column?.column;
}

/** Whether SQLite must use no index for a term: it would leave the one that begins at a position. */
const isHidden = (term: BoundPredicate, part: Part): boolean =>
  part.order?.isWhole === true &&
  (part.range.after ?? part.range.upTo) !== undefined &&
  isOfSeveral(term, part);

const not = (term: BoundPredicate): BoundPredicate => ({ kind: 'not', term });

/** Whether every entry that is visited matches. */
const isWholeRange = (part: Part): boolean =>
  part.accessPath.isAlone === true &&
  part.order?.isWhole === true &&
  !part.terms.some((term) => isHidden(term, part));

/** Returns the name of the index of the column that a term compares. */
function findIndexName(term: BoundPredicate, type: StoredType): string | undefined {
  const path = columnPath(term, type);
  return path && findColumn(path, type)?.name;
}

/** Compiles FROM and WHERE of the select of the matches of one type, by its access path. */
function rowsOf(
  { accessPath, terms, type, sort }: Part,
  { conditions, isByRow = false, isCount = false, first = [], ...rows }: Compiling & RowOptions,
): string {
  const { index, term, found: listed, few } = accessPath;
  const found: string[] = [];
  if (listed) found.push(`key IN (SELECT value FROM json_each(${conditions.add(listed)}))`);
  else if (term && index) found.push(conditions.compileReference(term, type));
  else if (term) found.push(`key IN (${conditions.selectKeys(term, type)})`);
  const rest = terms.filter((other) => other !== term || !isExact(other));
  const others = rest.filter((other) => findIndexName(other, type) !== index);
  // Of all matches of an index, nothing is read but their `_id`.
  const isById = isCount || (few !== undefined && sort.length === 1);
  const probed = isById && index && others.every((other) => canProbe(other, type)) ? others : [];
  found.push(...probed.map((other) => conditions.compileProbe(other, type)));
  return conditions.compile(allOf(rest.filter((other) => !probed.includes(other))), type, {
    ...rows,
    by: index === undefined ? 'NOT INDEXED' : `INDEXED BY ${index}`,
    first: [...first, ...found],
    isByRow: isByRow || (few !== undefined && few <= fewOfValue),
  });
}

/** Whether the value of a key is in the document alone. */
const isInDocument = ({ path, ...key }: BoundSortKey, { type, terms }: Part): boolean =>
  path.leaf.kind !== 'type' && !findColumn(path, type) && findFixed({ path, ...key }, terms) === undefined;

/** Returns SQL for the value to sort by. An absent value is NULL, the least value in SQLite and in the query language. */
function sortValue(key: BoundSortKey, { type, terms }: Part, add: (value: BoundValue) => string): string {
  const { path } = key;
  const fixed = findFixed(key, terms);
  if (fixed !== undefined) return add(fixed);
  if (path.leaf.kind === 'type') return quoteText(type.class);
  const column = findColumn(path, type);
  if (column) return column.column;
  const kind = valueKind(path.leaf);
  if (kind === undefined) throw new Error(`Nothing can be sorted by ${path.text}`);
  return typedValue(reachValues('document', valueSteps(path)).value, kind);
}

function compileCount(
  parts: readonly Part[],
  { types, isByRow }: { readonly types: StoredTypes; readonly isByRow: boolean },
): LimitedQuery {
  const conditions = createConditions(types);
  const selects = parts.map((part) => {
    const { accessPath, terms, type } = part;
    if (terms.length === 0) return `SELECT total AS n FROM types WHERE number = ${type.number}`;
    if (!accessPath.isAlone || !accessPath.term) {
      return `SELECT count(*) AS n ${rowsOf(part, { conditions, isByRow, isCount: true })}`;
    }
    const keys = isOnceEach(accessPath.term) ? '*' : 'DISTINCT key';
    return `SELECT count(${keys}) AS n FROM (${conditions.selectKeys(accessPath.term, type)})`;
  });
  const sql = `SELECT sum(n) FROM (${selects.join(' UNION ALL ')})`;
  return toLimited(sql, { conditions, parts, selects });
}

interface Selected {
  readonly conditions: Conditions;
  readonly parts: readonly Part[];
  readonly selects: readonly string[];
}

function toLimited(sql: string, { conditions: { params, tests }, parts, selects }: Selected): LimitedQuery {
  const rows = parts.map(({ accessPath, terms }, n) => {
    if (accessPath.few !== undefined) return maxRows.few;
    if (isReadingDocuments(selects[n] ?? '')) return maxRows.documents;
    return accessPath.isAlone || terms.length === 0 ? maxRows.index : maxRows.columns;
  });
  return {
    query: { sql, params, tests },
    rows: Math.min(
      maxRows.few,
      rows.reduce((sum, n) => sum + n, 0),
    ),
  };
}
