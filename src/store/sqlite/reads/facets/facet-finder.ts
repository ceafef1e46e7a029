/**
 * Counts the values of fields: of few assets on the main thread, otherwise on a reader thread.
 */
import type { BoundValue } from '../../../../query/ast.ts';
import { countComparisons } from '../../../../query/ast.ts';
import { familyOf } from '../../../../query/operators.ts';
import type { FacetRequest, FoundFacets } from '../../../facets.ts';
import type { Row } from '../../connection.ts';
import type { StoredTypes } from '../../indexes/field-indexes.ts';
import type { Threads } from '../../threads/store-threads.ts';
import type { MainThreadBudget } from '../search-budget.ts';
import { compileFacets } from './compile-facets.ts';

/** What the finder works with. */
export interface FacetOptions extends Pick<Threads, 'readers' | 'mainConnection' | 'mainCeiling'> {
  readonly mainBudget: MainThreadBudget;
  /** The limits of a search on the main thread. */
  readonly onMain: { readonly rowsOtherwise: number; readonly comparisons: number };
}

/** Counts values. Errors: query_too_costly, SQLite's. */
export type FacetFinder = (request: FacetRequest, types: StoredTypes) => Promise<FoundFacets>;

export function createFacetFinder({
  readers,
  mainConnection,
  mainCeiling,
  mainBudget,
  onMain,
}: FacetOptions): FacetFinder {
  return async (request, types) => {
    const { types: classes, where, paths, limit, signal, client } = request;
    const query = compileFacets({ classes, where, paths, limit, types });
    const isShort = !where || countComparisons(where) <= onMain.comparisons;
    const countOnMain = () => mainCeiling.within(onMain.rowsOtherwise, () => mainConnection.run([query])[0]);
    const rows =
      (isShort ? await mainBudget.run(countOnMain) : undefined) ??
      // A reader answers queries with their rows.
      ((await readers.call([query], { signal, client })) as Row[][])[0] ??
      [];
    return paths.map((path, n) =>
      rows
        .filter(([number]) => number === n)
        .map(([, value, count]) => ({ value: toValue(value, familyOf(path.leaf)), count: Number(count) })),
    );
  };
}

/** Converts a value: SQLite has no booleans. */
const toValue = (value: Row[number] | undefined, family: string): BoundValue =>
  family === 'boolean' ? value === 1 : (value ?? '');
