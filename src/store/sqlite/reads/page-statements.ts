/**
 * Compiles the statements of a search: the page, the entry at which a window ends, and the count. Each merges the selects of its types,
 * of which each is forced to the index that drives it.
 */
import type { BoundPredicate, BoundValue } from '../../../query/ast.ts';
import { allOf } from '../../../query/build-comparison.ts';
import type { BoundSort, BoundSortKey } from '../../../query/sort.ts';
import type { Query } from '../connection.ts';
import type { StoredType, StoredTypes } from '../indexes/stored-types.ts';
import { type DrivenSearch, type Driver, fewOfValue } from './choose-driver.ts';
import { isReadingDocuments, notCancelled, type RowOptions } from './compile-path.ts';
import { type Conditions, createConditions } from './compile-predicate.ts';
import { quoteText, reachValues, typedValue, valueKind, valueSteps } from './document-path.ts';
import { canProbe, columnPath, findColumn, isExact, isOnceEach } from './index-keys.ts';
import { findFixed, limitsOf } from './order-ranges.ts';

/** One type of a search, and the index that drives it. */
export interface Part extends DrivenSearch {
  readonly driver: Driver;
}

/** How many rows a statement visits on the main thread: of few assets, of an index alone, of indexes, and of documents. */
const maxRows = { few: 20_000, index: 10_000, columns: 5_000, documents: 500 };

/** A statement, and how many rows it may visit on the main thread. */
export interface LimitedQuery {
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
export function compilePage(
  parts: readonly Part[],
  { search, isByRow, limit, offset }: PageRequest,
): LimitedQuery {
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
export function compileEnd(part: Part, visited: number): Query {
  const { types, type, sort, driver, order } = part;
  const conditions = createConditions(types);
  const tested = part.terms.filter((term) => {
    const path = columnPath(term, type);
    const column = path && findColumn(path, type);
    const isOfWalk = column?.name === driver.index || (column?.column === 'id' && order?.keys.length === 1);
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
  part.driver.isAlone === true &&
  part.order?.isWhole === true &&
  !part.terms.some((term) => isHidden(term, part));

/** Returns the name of the index of the column that a term compares. */
function driving(term: BoundPredicate, type: StoredType): string | undefined {
  const path = columnPath(term, type);
  return path && findColumn(path, type)?.name;
}

/** Compiles FROM and WHERE of the select of the matches of one type, driven by its index. */
function rowsOf(
  { driver, terms, type, sort }: Part,
  { conditions, isByRow = false, isCount = false, first = [], ...rows }: Compiling & RowOptions,
): string {
  const { index, term, found: listed, few } = driver;
  const found: string[] = [];
  if (listed) found.push(`key IN (SELECT value FROM json_each(${conditions.add(listed)}))`);
  else if (term && index) found.push(conditions.compileReference(term, type));
  else if (term) found.push(`key IN (${conditions.selectKeys(term, type)})`);
  const rest = terms.filter((other) => other !== term || !isExact(other));
  const others = rest.filter((other) => driving(other, type) !== index);
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

/** Compiles the count. */
export function compileCount(
  parts: readonly Part[],
  { types, isByRow }: { readonly types: StoredTypes; readonly isByRow: boolean },
): LimitedQuery {
  const conditions = createConditions(types);
  const selects = parts.map((part) => {
    const { driver, terms, type } = part;
    if (terms.length === 0) return `SELECT total AS n FROM types WHERE number = ${type.number}`;
    if (!driver.isAlone || !driver.term) {
      return `SELECT count(*) AS n ${rowsOf(part, { conditions, isByRow, isCount: true })}`;
    }
    const keys = isOnceEach(driver.term) ? '*' : 'DISTINCT key';
    return `SELECT count(${keys}) AS n FROM (${conditions.selectKeys(driver.term, type)})`;
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
  const rows = parts.map(({ driver, terms }, n) => {
    if (driver.few !== undefined) return maxRows.few;
    if (isReadingDocuments(selects[n] ?? '')) return maxRows.documents;
    return driver.isAlone || terms.length === 0 ? maxRows.index : maxRows.columns;
  });
  return {
    query: { sql, params, tests },
    rows: Math.min(
      maxRows.few,
      rows.reduce((sum, n) => sum + n, 0),
    ),
  };
}
