/**
 * Positions in an order of assets, and the predicates that find what comes after one. Pages by cursor begin behind such a position,
 * so that no page visits the assets of earlier pages, and no write between two pages moves an unchanged asset to another page.
 *
 * `sort.ts` defines the order. What comes after a position is split into segments: the assets with the same values of all keys but
 * `_id`, then those with the same values of fewer and fewer keys. Each segment fixes the values of some keys and has one range of the
 * next key, so a search that begins at the start of this range begins behind the position.
 */
import type { Asset } from '../model/content-type.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { BoundPredicate, BoundValue } from './ast.ts';
import { allOf, anyOf } from './build-comparison.ts';
import { familyOf } from './operators.ts';
import { findValues } from './path-values.ts';
import { type BoundSort, type BoundSortKey, compareInOrder } from './sort.ts';

/** The position of an asset in an order: its value for each key, null where it has none. The last one is its `_id`. */
export type SortPosition = readonly (BoundValue | null)[];

/** The assets of one range of an order. The segments of an order follow each other. */
export interface OrderSegment {
  /** Absent means all assets. */
  readonly where?: BoundPredicate;
  /** The keys that decide within the segment: all but those with a fixed value. */
  readonly sort: BoundSort;
  /** The values of the keys that `sort` lacks. */
  readonly fixed: SortPosition;
  /** The fields of which every asset of the segment has a value. */
  readonly present: readonly FieldPath[];
}

export const positionOf = (asset: Asset, sort: BoundSort): SortPosition =>
  sort.map(({ path }) => findValues(asset, path)[0] ?? null);

/**
 * Returns the position that a search has reached, which each store must do with every one. Throws an error when it does not lie after
 * the one that the search began at: a caller that continued from there would get the same assets again without end.
 */
export function advance(
  sort: BoundSort,
  { from, to }: { from?: SortPosition | undefined; to: SortPosition },
) {
  if (from && compareInOrder(sort, (n) => [to[n], from[n]]) <= 0)
    throw new Error(`A search moved back from ${JSON.stringify(from)} to ${JSON.stringify(to)}`);
  return to;
}

/**
 * Splits what comes after a position, or a whole order without one, into segments in their order. The value of the first key is
 * present in all assets of a segment, or in none.
 */
export function toSegments(sort: BoundSort, after?: SortPosition): OrderSegment[] {
  const [key, ...rest] = sort;
  if (!key || rest.length === 0) return [toWholeSegment(sort, after)];
  if (!after) return segmentsOf(key, { rest });
  const [value = null, ...others] = after;
  const same = toSegments(rest, others).map((ties) => withValue(key.path, value, ties));
  return [...same, ...segmentsOf(key, { rest, after: value })];
}

/** Returns all that comes after a position as one segment, for orders that no index has. */
export const toWholeSegment = (sort: BoundSort, after?: SortPosition): OrderSegment => ({
  sort,
  fixed: [],
  present: [],
  ...(after && { where: afterPosition(sort, after) }),
});

/** Compiles the predicate for all assets after a position. */
export function afterPosition(sort: BoundSort, position: SortPosition): BoundPredicate {
  const [key, ...rest] = sort;
  const [value = null, ...others] = position;
  if (!key) return { kind: 'constant', value: false };
  const behind = segmentsOf(key, { rest, after: value }).flatMap(({ where }) => where ?? []);
  if (rest.length > 0) behind.push(allOf([equalTo(key.path, value), afterPosition(rest, others)]));
  return behind.length > 0 ? anyOf(behind) : { kind: 'constant', value: false };
}

interface Following {
  readonly rest: BoundSort;
  /** Absent means from the start. */
  readonly after?: BoundValue | null;
}

/** Returns the segments of the assets whose value of a key comes after another one; of all assets, without one. */
function segmentsOf(key: BoundSortKey, { rest, after }: Following): OrderSegment[] {
  const { path, descending } = key;
  const absent = isAlwaysPresent(path) ? [] : [withValue(path, null, toWholeSegment(rest))];
  if (after === undefined) {
    return descending
      ? [...presentSegments(key, rest), ...absent]
      : [...absent, ...presentSegments(key, rest)];
  }
  if (after === null) return descending ? [] : presentSegments(key, rest);
  return descending
    ? [...segmentsAfter(key, { rest, after }), ...absent]
    : segmentsAfter(key, { rest, after });
}

function presentSegments(key: BoundSortKey, rest: BoundSort): OrderSegment[] {
  const { path, descending } = key;
  if (familyOf(path.leaf) === 'boolean') {
    const values = descending ? [true, false] : [false, true];
    return values.map((value) => withValue(path, value, toWholeSegment(rest)));
  }
  const where = isAlwaysPresent(path) ? {} : { where: presenceOf(path) };
  return [{ ...where, sort: [key, ...rest], fixed: [], present: [path] }];
}

function segmentsAfter(
  key: BoundSortKey,
  { rest, after }: { rest: BoundSort; after: BoundValue },
): OrderSegment[] {
  const { path, descending } = key;
  if (typeof after === 'boolean') {
    return after === descending ? [withValue(path, !descending, toWholeSegment(rest))] : [];
  }
  const operator = descending ? 'lt' : 'gt';
  const where: BoundPredicate = { kind: 'compare', path, operator, value: after };
  return [{ where, sort: [key, ...rest], fixed: [], present: [path] }];
}

/** Restricts a segment of the keys behind another one to the assets with a value of that one, or with none. */
const withValue = (
  path: FieldPath,
  value: BoundValue | null,
  { where, sort, fixed, present }: OrderSegment,
): OrderSegment => ({
  where: allOf([equalTo(path, value), ...(where ? [where] : [])]),
  sort,
  fixed: [value, ...fixed],
  present: value === null ? present : [path, ...present],
});

const equalTo = (path: FieldPath, value: BoundValue | null): BoundPredicate =>
  value === null
    ? { kind: 'not', term: presenceOf(path) }
    : { kind: 'equals', path, values: [value], ignoreCase: false };

/** Compiles the predicate for the assets with a value of the path that can be compared. A value of another type cannot. */
function presenceOf(path: FieldPath): BoundPredicate {
  switch (familyOf(path.leaf)) {
    case 'boolean':
      return { kind: 'equals', path, values: [false, true], ignoreCase: false };
    case 'number':
      return { kind: 'compare', path, operator: 'ge', value: Number.NEGATIVE_INFINITY };
    default:
      return { kind: 'compare', path, operator: 'ge', value: '' };
  }
}

const isAlwaysPresent = ({ leaf }: FieldPath) => leaf.kind === 'id' || leaf.kind === 'type';
