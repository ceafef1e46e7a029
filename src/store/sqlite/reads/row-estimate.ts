/**
 * Estimates how many rows a search visits, from the indexes alone: `row-ceiling.ts` stops a search that visits more.
 */
import { type BoundSort, sortById } from '../../../query/sort.ts';
import type { FindRequest } from '../../port.ts';
import { indexKey } from '../indexes/field-indexes.ts';
import { getType, type StoredType, type StoredTypes } from '../indexes/stored-types.ts';
import { areFoundByIndexes } from './plan-order.ts';

/** How many rows a search that an index serves may visit: some of them read in an index only, in about a millisecond. */
const maxRowsByIndex = 10_000;
/** How many rows any other search may visit, which suffices for types with few assets. */
const maxRowsOtherwise = 256;

/** Returns the number of rows that a search may visit on the main thread. */
export function maxRowsOnMain(request: FindRequest, types: StoredTypes): number {
  const isServed = request.types.every((name) => isServedByIndex(request, getType(types, name)));
  return isServed ? maxRowsByIndex : maxRowsOtherwise;
}

/** Whether an index finds the matching assets, or, when all match, has the order. */
function isServedByIndex({ where, sort = sortById }: FindRequest, type: StoredType): boolean {
  const isForAll = where === undefined || (where.kind === 'constant' && where.value);
  return isForAll ? hasOrder(sort, type) : areFoundByIndexes(where, type);
}

function hasOrder(sort: BoundSort, type: StoredType): boolean {
  const first = sort.find(({ path }) => path.leaf.kind !== 'type');
  return first === undefined || first.path.leaf.kind === 'id' || type.indexes.has(indexKey(first.path));
}
