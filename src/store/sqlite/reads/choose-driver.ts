/**
 * Chooses the index by which a statement finds the assets of one type. SQLite knows nothing of how many entries a value has, so the
 * entries are counted up to a limit, and the statement forces the choice; all other conditions read the columns of the row.
 */
import type { BoundPredicate } from '../../../query/ast.ts';
import type { Query, Row } from '../connection.ts';
import type { StoredType, StoredTypes } from '../indexes/stored-types.ts';
import { idIndexOf } from '../indexes/type-tables.ts';
import { createConditions } from './compile-predicate.ts';
import {
  type ColumnIndex,
  columnPath,
  findColumn,
  isExact,
  isOnColumn,
  isServed,
  joinByColumn,
  referenceColumn,
} from './index-keys.ts';
import { findJoinedKeys } from './joined-keys.ts';
import { limitsOf, type Ordered, type OrderRange, type TypeOrder } from './order-ranges.ts';

/** The index that drives a statement. */
export interface Driver {
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
export interface DrivenSearch extends Ordered {
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
export type Probe = (query: Query) => Row | undefined;

/** An index that has the order: that of a column, or of a value of one for the order by `_id`. */
interface Walk extends ColumnIndex {
  /** The condition on the value. */
  readonly term?: BoundPredicate;
  readonly isOfValue: boolean;
}

/** More terms would cost more to count than the best of them saves. */
const maxCounted = 8;

/** Chooses the index. */
export function chooseDriver(probe: Probe, search: DrivenSearch): Driver {
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
  if (!order && only && terms.length === 1) return { ...toDriver(only, type), isAlone: isExact(only) };
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
    return { ...toDriver(term, type), ...(found && { found }), few: least };
  }
  const walked = counted.filter(({ walk, end }) => walk && end !== undefined);
  const isDescending = order?.keys[0]?.descending === true;
  // The index with the fewest entries where the page begins leads furthest.
  const [furthest] = walked.toSorted((a, b) => (String(a.end) < String(b.end) === isDescending ? -1 : 1));
  const walk = furthest?.walk ?? walks.at(-1);
  if (walk) return { index: walk.name };
  const column = served.find((term) => findDriving(term, type));
  const driver = column ? toDriver(column, type) : { index: idIndexOf(type.number) };
  return { ...driver, isMany: counted.length > 0 };
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
function listWalks({ terms, type, range }: DrivenSearch, { keys, column, valueColumn }: TypeOrder): Walk[] {
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
function findDriving(term: BoundPredicate, type: StoredType): ColumnIndex | undefined {
  const [first, ...others] = term.kind === 'and' ? term.terms : [term];
  const path = first && columnPath(first, type);
  if (!path || !others.every((other) => isOnColumn(other, path, type))) return undefined;
  return findColumn(path, type);
}

function toDriver(term: BoundPredicate, type: StoredType): Driver {
  const column = findDriving(term, type);
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
  { sort, type, types, range, order }: DrivenSearch,
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
  const column = findDriving(term, type);
  return term.kind === 'equals' && column && !column.isById ? term.values.length : undefined;
}
