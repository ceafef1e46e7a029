/**
 * Counts the values of fields by aggregation, one after the other, within the time of one search.
 */
import type { Collection } from 'mongodb';
import type { FieldPath } from '../../../../model/field-path.ts';
import type { BoundValue } from '../../../../query/ast.ts';
import type { FacetValue } from '../../../../query/facets.ts';
import type { AssetDocument } from '../../documents/document.ts';
import { toListPaths, toValuePath } from '../../documents/document-path.ts';
import type { Filter } from '../compile-predicate.ts';
import { isComparable } from '../keyset/document-position.ts';
import type { SearchBudget } from '../search-budget.ts';

/** The values to count among the assets that a filter matches. */
interface FacetSearch {
  readonly filter: Filter;
  readonly paths: readonly FieldPath[];
  readonly limit: number;
  readonly budget: SearchBudget;
}

type Stage = Readonly<Record<string, unknown>>;

/** A longer value is cut to one character more, which is enough to see that it is too long. */
const maxCharacters = 2_001;

/** Counts the values of each path. Errors: query_too_costly, the driver's. */
export async function countFacets(
  assets: Collection<AssetDocument>,
  { filter, paths, limit, budget }: FacetSearch,
): Promise<FacetValue[][]> {
  const found: FacetValue[][] = [];
  for (const path of paths) {
    const stages = [{ $match: filter }, ...countStages(path, limit)];
    const cursor = assets.aggregate<{ _id: BoundValue; count: number }>(stages, {
      ...budget(),
      allowDiskUse: true,
    });
    found.push((await cursor.toArray()).map(({ _id: value, count }) => ({ value: cut(value), count })));
  }
  return found;
}

const cut = (value: BoundValue) => (typeof value === 'string' ? value.slice(0, maxCharacters) : value);

function countStages(path: FieldPath, limit: number): Stage[] {
  const value = `$${toValuePath(path)}`;
  const lists = toListPaths(path);
  const unwinding = lists.flatMap((list) => [
    { $match: { $expr: { $isArray: `$${list}` } } },
    { $unwind: `$${list}` },
  ]);
  // An asset counts once for a value, however often its list has it.
  const once = [
    { $group: { _id: { asset: '$_id', value } } },
    { $group: { _id: '$_id.value', count: { $sum: 1 } } },
  ];
  return [
    { $project: { [toValuePath(path)]: 1 } },
    ...unwinding,
    { $match: { $expr: isComparable(path) } },
    ...(lists.length > 0 ? once : [{ $group: { _id: value, count: { $sum: 1 } } }]),
    { $sort: { count: -1, _id: 1 } },
    { $limit: limit },
  ];
}
