/**
 * The context that the resolvers of one run share.
 */
import type { PreAssignedIds } from '../../content/pre-assigned-ids.ts';
import type { AssetFinder, Caller } from '../../content/reading/find-assets.ts';
import type { FileLinks } from './file-links.ts';
import { createInverseLoader, type InverseLoader } from './inverse-loader.ts';
import type { ResponseBudget } from './response-budget.ts';
import type { SourceCollector } from './response-sources.ts';
import { createSearchGroup, type SearchGroup } from './search-group.ts';
import { createTargetLoader, type TargetLoader } from './target-loader.ts';
import type { UnfitMarks } from './unfit-fields.ts';

/** The caller of a run, the budget of its response, the loader of referenced assets, the marks of unfit fields, and the changes written. */
export interface RunContext {
  readonly caller: Caller;
  readonly budget: ResponseBudget;
  readonly targets: TargetLoader;
  /** The lists of assets that refer to others. */
  readonly inverses: InverseLoader;
  readonly unfit: UnfitMarks;
  readonly files: FileLinks;
  /** The `id`s of the changes that the run has written so far. */
  readonly changes: string[];
  readonly searches: SearchGroup;
  /** The IDs of the write of a mutation with one field that may run again. */
  readonly reserved: PreAssignedIds | undefined;
}

/** Creates the context of one run. */
export function createRunContext(
  finder: AssetFinder,
  {
    caller,
    budget,
    unfit,
    files,
    collector,
    reserved,
  }: Pick<RunContext, 'caller' | 'budget' | 'unfit' | 'files'> & {
    readonly collector?: SourceCollector | undefined;
    readonly reserved?: PreAssignedIds | undefined;
  },
): RunContext {
  const searches = createSearchGroup();
  return {
    caller,
    budget,
    inverses: createInverseLoader(finder, { caller, budget, searches }),
    targets: createTargetLoader(finder, { caller, budget, onMissing: collector?.noteMissing }),
    unfit,
    files,
    changes: [],
    searches,
    reserved,
  };
}
