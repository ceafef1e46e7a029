/**
 * The ranges of an order that follow each other behind a position, and the conditions by which a statement begins and ends there.
 *
 * A position in an index is the row value of a column and the `_id`. NULL in a row value finds nothing, so absent values are a
 * separate range. `query/sort.ts` defines orders; all assets of one type have the same `_type`.
 */
import type { BoundPredicate, BoundValue } from '../../../query/ast.ts';
import { afterPosition, type SortPosition } from '../../../query/keyset.ts';
import type { BoundSort, BoundSortKey } from '../../../query/sort.ts';
import { compareText } from '../../../query/text.ts';
import { indexKey } from '../indexes/field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/stored-types.ts';
import { type ColumnIndex, findColumn } from './index-keys.ts';

/** A range of an order. */
export interface OrderRange {
  readonly classes: readonly string[];
  /** Whether the assets have a value of the first deciding key; absent means that some may. All types have its index then. */
  readonly values?: 'absent' | 'present';
  readonly after?: SortPosition;
  /** The last position; only where an index has the order. */
  readonly upTo?: SortPosition;
}

/** An order of the assets for which all terms hold. */
export interface Ordered {
  readonly sort: BoundSort;
  readonly terms: readonly BoundPredicate[];
}

/** The order of the assets of one type within a range. */
export interface TypeOrder {
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

/** The limits of a range. */
export interface RangeLimits {
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
