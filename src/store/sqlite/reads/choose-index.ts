/**
 * Chooses the index by which a statement finds the assets of one type. SQLite knows nothing of how many entries a value has, so the
 * entries are counted up to a limit, and the statement forces the choice; all other conditions read the columns of the row.
 */

import type { BoundPredicate, BoundValue } from '../../../query/ast.ts';
import { afterPosition, type SortPosition } from '../../../query/keyset.ts';
import type { BoundSort, BoundSortKey } from '../../../query/sort.ts';
import { compareText } from '../../../query/text.ts';
import type { Query, Row } from '../connection.ts';
import { getType, idIndexOf, indexKey, type StoredType, type StoredTypes } from '../indexes/field-indexes.ts';
import { createConditions } from './compile-predicate.ts';
import {
  type ColumnIndex,
  columnPath,
  findColumn,
  findJoinedKeys,
  isExact,
  isOnColumn,
  isServed,
  joinByColumn,
  referenceColumn,
} from './index-keys.ts';

/** How a statement finds the assets of a type. */
export interface AccessPath {
  /** The index of the table that is walked; absent when the keys are found first. */
  readonly index?: string;
  /** The term whose keys are found first, or, with an index, whose referenced assets are. */
  readonly term?: BoundPredicate;
  /** The JSON list of the keys of the term, if it is known. */
  readonly found?: string;
  /** How many of them there are at most; absent when it is not known to be few. */
  readonly few?: number;
  /** Whether each term finds many entries, all of which have to be visited. */
  readonly isMany?: boolean;
  /** Whether no other condition is tested on its entries. */
  readonly isAlone?: boolean;
}

/** The assets of one type to find, in an order or, for a count, in none. */
export interface TypeSearch extends Ordered {
  readonly type: StoredType;
  readonly types: StoredTypes;
  readonly range: OrderRange;
  readonly order?: TypeOrder;
  /** So many entries are few: they are sorted, rather than that the index of a value, or any other one, is walked. */
  readonly few: { readonly ofValue: number; readonly otherwise: number };
}

/** So many entries of one value are sorted on a reader thread rather than that they are walked in order of `id`. */
export const fewOfValue = 10_000;

/** Returns the first row of a query; `undefined` when it visits too many rows. */
type Probe = (query: Query) => Row | undefined;

/** An index that has the order: that of a column, or of a value of one for the order by `_id`. */
interface Walk extends ColumnIndex {
  /** The condition on the value. */
  readonly term?: BoundPredicate;
  readonly isOfValue: boolean;
}

/** More terms would cost more to count than the best of them saves. */
const maxCounted = 8;

export function chooseAccessPath(probe: Probe, search: TypeSearch): AccessPath {
  const { type, types, terms, order, few } = search;
  const walks = order ? listWalks(search, order) : [];
  const isOfWalk = (walk: Walk) => (term: BoundPredicate) =>
    term === walk.term ||
    isOn(term, walk.isOfValue ? undefined : walk, type) ||
    (order?.keys.length === 1 && isOn(term, idColumn(type), type));
  const direct = walks.find((walk) => terms.every(isOfWalk(walk)));
  if (direct) return { index: direct.name, isAlone: true };
  const joined = findJoinedKeys(terms, type);
  const served = [
    ...(joined ? [{ kind: 'and' as const, terms: joined.terms }] : []),
    ...joinByColumn(terms, type).filter((predicate) => isServed({ predicate, type }, types)),
  ];
  const [only] = served;
  if (!order && only && terms.length === 1) return { ...toAccessPath(only, type), isAlone: isExact(only) };
  const limit = walks.length > 1 ? few.ofValue : few.otherwise;
  let least = limit;
  const counted = served.slice(0, maxCounted).map((term) => {
    const walk = walks.find((other) => other.term === term);
    const counts = count(probe, search, { term, walk, limit: least });
    least = Math.min(least, counts.size);
    return { term, walk, ...counts };
  });
  const fewest = counted.find(({ size }) => size === least);
  if (fewest) {
    const { term, found } = fewest;
    return { ...toAccessPath(term, type), ...(found && { found }), few: least };
  }
  const walked = counted.filter(({ walk, end }) => walk && end !== undefined);
  const isDescending = order?.keys[0]?.descending === true;
  // The index with the fewest entries where the page begins leads furthest.
  const [furthest] = walked.toSorted((a, b) => (String(a.end) < String(b.end) === isDescending ? -1 : 1));
  const walk = furthest?.walk ?? walks.at(-1);
  if (walk) return { index: walk.name };
  const column = served.find((term) => findTermColumn(term, type));
  const accessPath = column ? toAccessPath(column, type) : { index: idIndexOf(type.number) };
  return { ...accessPath, isMany: counted.length > 0 };
}

const idColumn = (type: StoredType): ColumnIndex => ({
  name: idIndexOf(type.number),
  column: 'id',
  isById: false,
});

const isOn = (term: BoundPredicate, column: ColumnIndex | undefined, type: StoredType) => {
  const path = columnPath(term, type);
  return path !== undefined && findColumn(path, type)?.name === column?.name;
};

/** Lists the indexes that have the order, the one with the most entries last; of a range without values, the index that has them together. */
function listWalks({ terms, type, range }: TypeSearch, { keys, column, valueColumn }: TypeOrder): Walk[] {
  if (range.values === 'absent') return valueColumn ? [{ ...valueColumn, isOfValue: true }] : [];
  if (!column) return [];
  const ofValues = keys[0]?.path.leaf.kind === 'id' ? terms : [];
  const walks = ofValues.flatMap((term): Walk[] => {
    const path = columnPath(term, type);
    const found = path && findColumn(path, type);
    const isOneValue = term.kind === 'equals' && term.values.length === 1;
    return found?.isById && isOneValue ? [{ ...found, term, isOfValue: true }] : [];
  });
  return [...walks, { ...column, isOfValue: false }];
}

/** Returns the column whose index finds the matches of a term, or of terms that are joined. */
function findTermColumn(term: BoundPredicate, type: StoredType): ColumnIndex | undefined {
  const [first, ...others] = term.kind === 'and' ? term.terms : [term];
  const path = first && columnPath(first, type);
  if (!path || !others.every((other) => isOnColumn(other, path, type))) return undefined;
  return findColumn(path, type);
}

function toAccessPath(term: BoundPredicate, type: StoredType): AccessPath {
  const column = findTermColumn(term, type);
  if (column) return { index: column.name };
  const reference = referenceColumn(term, type);
  return { term, ...(reference && { index: reference.name }) };
}

interface Counted {
  readonly size: number;
  /** The `_id` at which the last of them is, in the order by `_id`. */
  readonly end: Row[number] | undefined;
  /** The JSON list of the keys, where no index of the type has them together. */
  readonly found?: string;
}

/** Counts the entries that the index of a term has, at most one more than the limit. */
function count(
  probe: Probe,
  { sort, type, types, range, order }: TypeSearch,
  { term, walk, limit }: { term: BoundPredicate; walk: Walk | undefined; limit: number },
): Counted {
  const conditions = createConditions(types);
  const known = walk ? undefined : countUnique(term, type);
  if (known !== undefined && known <= limit) return { size: known, end: undefined };
  const isBounded = limit <= fewOfValue;
  const select = () => {
    if (!walk || !order) return `SELECT key FROM (${conditions.selectKeys(term, type, { isBounded })})`;
    const { first } = limitsOf(range, { sort, order, type, add: conditions.add });
    const rows = conditions.compile(term, type, { by: `INDEXED BY ${walk.name}`, last: first, isBounded });
    return `SELECT id ${rows} ORDER BY id ${order.keys[0]?.descending ? 'DESC' : ''}`;
  };
  const isList = isBounded && term.kind === 'words';
  const end = isList
    ? 'json_group_array(key)'
    : `${order?.keys[0]?.descending ? 'min' : 'max'}(${walk ? 'id' : 'NULL'})`;
  const sql = `SELECT count(*), ${end} FROM (${select()} LIMIT CAST(${conditions.add(limit + 1)} AS INTEGER))`;
  const row = probe({ sql, params: conditions.params, tests: conditions.tests });
  const size = row ? Number(row[0]) : Number.POSITIVE_INFINITY;
  return isList && size <= limit
    ? { size, end: undefined, found: String(row?.[1]) }
    : { size, end: row?.[1] };
}

/** Returns how many entries a term has at most when each value is that of one asset. */
function countUnique(term: BoundPredicate, type: StoredType): number | undefined {
  if (term.kind === 'and') return findJoinedKeys(term.terms, type)?.values.length;
  const column = findTermColumn(term, type);
  return term.kind === 'equals' && column && !column.isById ? term.values.length : undefined;
}

// The ranges of an order that follow each other behind a position, and the conditions by which a statement begins and ends there.
//
// A position in an index is the row value of a column and the `_id`. NULL in a row value finds nothing, so absent values are a
// separate range. `query/sort.ts` defines orders; all assets of one type have the same `_type`.

export interface OrderRange {
  readonly classes: readonly string[];
  /** Whether the assets have a value of the first deciding key; absent means that some may. All types have its index then. */
  readonly values?: 'absent' | 'present';
  readonly after?: SortPosition;
  /** The last position; only where an index has the order. */
  readonly upTo?: SortPosition;
}

/** An order of the assets for which all terms hold. */
interface Ordered {
  readonly sort: BoundSort;
  readonly terms: readonly BoundPredicate[];
}

/** The order of the assets of one type within a range. */
interface TypeOrder {
  /** The keys that differ among these assets; the last one is `_id`. */
  readonly keys: BoundSort;
  /** The column of the first of them. */
  readonly column: ColumnIndex | undefined;
  /** Whether an index has the whole order. */
  readonly isWhole: boolean;
  /** The column of which the range has the values, or lacks them. */
  readonly valueColumn: ColumnIndex | undefined;
}

/** Lists the ranges behind a position, or of a whole order. */
export function rangesAfter(
  ordered: Ordered,
  { classes, types }: { readonly classes: readonly string[]; readonly types: StoredTypes },
  after?: SortPosition,
): OrderRange[] {
  const deciding = ordered.sort.filter((key) => findFixed(key, ordered.terms) === undefined);
  const [first] = deciding;
  const valueAt = (key: BoundSortKey | undefined) => after?.[keyIndex(ordered.sort, key)];
  if (first?.path.leaf.kind === 'type' && classes.length > 1) {
    const inOrder = classes.toSorted((a, b) => compareIn(first, a, b));
    return inOrder.flatMap((name) => {
      const difference = after ? compareIn(first, name, String(valueAt(first))) : 1;
      if (difference < 0) return [];
      return rangesAfter(ordered, { classes: [name], types }, difference === 0 ? after : undefined);
    });
  }
  const key = deciding.find(({ path }) => path.leaf.kind !== 'type');
  const hasIndex = (name: string) => key && findColumn(key.path, getType(types, name));
  if (!key || key.path.leaf.kind === 'id' || !classes.every(hasIndex))
    return [{ classes, ...(after && { after }) }];
  const values = key.descending ? (['present', 'absent'] as const) : (['absent', 'present'] as const);
  const from = after ? values.indexOf(valueAt(key) === null ? 'absent' : 'present') : 0;
  return values
    .slice(from)
    .map((which, n) => ({ classes, values: which, ...(after && n === 0 && { after }) }));
}

const compareIn = (key: BoundSortKey | undefined, a: string, b: string) =>
  key?.descending ? compareText(b, a) : compareText(a, b);

const keyIndex = (sort: BoundSort, key: BoundSortKey | undefined) => (key ? sort.indexOf(key) : -1);

/** Returns the order of the assets of a type within a range. */
export function orderOf({ sort, terms }: Ordered, type: StoredType, { values }: OrderRange): TypeOrder {
  const deciding = sort.filter((key) => key.path.leaf.kind !== 'type' && findFixed(key, terms) === undefined);
  const keys = values === 'absent' ? deciding.slice(1) : deciding;
  const [column, valueColumn] = [keys, deciding].map(([key]) => key && findColumn(key.path, type));
  const [first, second] = keys;
  // A unique index does not have the `_id`, and the assets without a value of two keys are not a separate range.
  const isById = first?.path.leaf.kind === 'id';
  const isWhole =
    values === 'absent'
      ? isById && valueColumn?.isById === true
      : isById ||
        (column?.isById === true &&
          second?.path.leaf.kind === 'id' &&
          second.descending === first?.descending);
  return { keys, column, isWhole, valueColumn };
}

/** Returns the only value of a key that terms leave; never that of `_id`, at which every order ends. */
export function findFixed({ path }: BoundSortKey, terms: readonly BoundPredicate[]): BoundValue | undefined {
  if (path.leaf.kind === 'id' || path.leaf.kind === 'type') return undefined;
  for (const term of terms) {
    if (term.kind !== 'equals' || term.ignoreCase || term.values.length > 1) continue;
    if (indexKey(term.path) === indexKey(path)) return term.values[0];
  }
  return undefined;
}

interface RangeLimits {
  /** SQL conditions that come before, and behind, those of the predicate. */
  readonly first: readonly string[];
  readonly last: readonly string[];
  /** A further term of the predicate. */
  readonly term?: BoundPredicate;
}

interface Limited {
  readonly sort: BoundSort;
  readonly order: TypeOrder;
  readonly type: StoredType;
  readonly add: (value: BoundValue) => string;
}

/** Compiles the limits of a range in one type. */
export function limitsOf(range: OrderRange, { sort, order, type, add }: Limited): RangeLimits {
  const { after, upTo, values } = range;
  const { keys, column, isWhole, valueColumn } = order;
  const [key] = keys;
  const valueAt = (position: SortPosition) => position[keyIndex(sort, key)] ?? null;
  const absent = values === 'absent' ? [`${valueColumn?.column} IS NULL`] : [];
  const last = values === 'present' ? [`${valueColumn?.column} >= ${leastValue}`] : [];
  const [behind, until] = key?.descending ? ['<', '>='] : ['>', '<='];
  if (!isWhole) {
    if (!after) return { first: absent, last };
    const value = values === 'present' ? valueAt(after) : null;
    const seek = value === null ? [] : [`${column?.column} ${behind}= ${add(value)}`];
    return { first: [...absent, ...seek], last, term: afterPosition(sort, after) };
  }
  const limit = (position: SortPosition, sign: string) => {
    const id = add(idLimit(position, { sort, type }));
    if (keys.length === 1) return `id ${sign} ${id}`;
    return `(${column?.column}, id) ${sign} (${add(valueAt(position) ?? '')}, ${id})`;
  };
  const begin = after ? [limit(after, behind)] : [];
  const end = upTo ? [limit(upTo, until)] : [];
  return { first: [...absent, ...begin, ...end], last };
}

/** Less than every value, and not NULL. */
const leastValue = '-9e999';
const greatestId = '\u{10ffff}';

/** Returns the `_id` at which a position stands in a type: where `_type` comes before `_id`, all or none of those with the same values are behind it. */
function idLimit(position: SortPosition, { sort, type }: { sort: BoundSort; type: StoredType }): string {
  const [ofType, ofId] = (['type', 'id'] as const).map((kind) =>
    sort.findIndex(({ path }) => path.leaf.kind === kind),
  );
  const id = String(position[ofId ?? -1]);
  if (ofType === undefined || ofType < 0) return id;
  const difference = compareIn(sort[ofType], type.class, String(position[ofType]));
  if (difference === 0) return id;
  return difference > 0 === (sort.at(-1)?.descending === true) ? greatestId : '';
}
