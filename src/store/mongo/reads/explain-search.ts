/**
 * Explains a search by MongoDB's own explanations of the commands for its page and its count.
 */
import type { Collection, Document } from 'mongodb';
import { sortById } from '../../../query/sort.ts';
import type { FindRequest } from '../../port.ts';
import type { SearchPlan } from '../../search-plan.ts';
import type { AssetDocument } from '../documents/document.ts';
import type { Filter } from './compile-predicate.ts';
import { toSort } from './page-filter.ts';
import type { SearchBudget } from './search-budget.ts';

/** A search to explain, with its compiled filter. */
interface ExplainedSearch {
  readonly request: Pick<FindRequest, 'sort' | 'offset' | 'limit' | 'withCount'>;
  readonly filter: Filter;
  readonly budget: SearchBudget;
}

/** Runs the commands of a search. Errors: query_too_costly, the driver's. */
export async function explainSearch(
  assets: Collection<AssetDocument>,
  { request: { sort = sortById, offset, limit, withCount }, filter, budget }: ExplainedSearch,
): Promise<SearchPlan> {
  const page = { sort: toSort(sort), skip: offset, limit, allowDiskUse: true };
  const commands = [...(limit > 0 ? [page] : []), ...(withCount ? [{}] : [])];
  const startedMs = performance.now();
  const plans: Document[] = [];
  for (const options of commands) {
    plans.push(await assets.find(filter, { ...options, ...budget() }).explain('executionStats'));
  }
  const ms = performance.now() - startedMs;
  const rows = plans.map(({ executionStats }) => countRows(executionStats));
  const indexes = [...new Set(plans.flatMap(({ queryPlanner }) => findIndexes(queryPlanner?.winningPlan)))];
  if (rows.includes(undefined)) return { indexes, ms };
  return { indexes, rowsVisited: rows.reduce<number>((sum, count) => sum + (count ?? 0), 0), ms };
}

/** Returns how many keys or documents were visited, whichever are more: a key leads to its document. */
function countRows(stats: unknown): number | undefined {
  const { totalKeysExamined: keys, totalDocsExamined: documents } = Object(stats);
  return typeof keys === 'number' && typeof documents === 'number' ? Math.max(keys, documents) : undefined;
}

/** Lists the fields of the indexes in a plan; every index begins with the type, and most end with `_id`. */
function findIndexes(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const own = 'keyPattern' in plan ? [nameIndex(Object(plan.keyPattern))] : [];
  const below = Object.entries(plan).flatMap(([name, part]) =>
    name === 'keyPattern' ? [] : findIndexes(part),
  );
  return [...own, ...below];
}

function nameIndex(keys: object): string {
  const fields = Object.keys(keys).filter((key) => key !== '_type' && key !== '_id');
  return fields.map((field) => field.replace(/\._ref$/, '')).join() || '_id';
}
