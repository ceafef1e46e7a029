/**
 * The context that the resolvers of one run share.
 */
import DataLoader from 'dataloader';
import type { AssetFinder, Caller } from '../../content/reading/find-assets.ts';
import type { Asset } from '../../model/content-type.ts';
import type { ResponseBudget } from './response-budget.ts';
import { createSearchGroup, type SearchGroup } from './search-group.ts';
import type { UnfitMarks } from './unfit-fields.ts';

/** The caller of a run, the budget of its response, the loader of referenced assets, the marks of unfit fields, and the changes written. */
export interface RunContext {
  readonly caller: Caller;
  readonly budget: ResponseBudget;
  readonly targets: TargetLoader;
  readonly unfit: UnfitMarks;
  /** The `id`s of the changes that the run has written so far. */
  readonly changes: string[];
  readonly searches: SearchGroup;
}

/** Loads single assets, such as the targets of references. One call of the finder reads all that are requested in one tick. */
export interface TargetLoader {
  /** Loads an asset; null when there is none that the caller may see. Errors: answer_too_large. */
  load(id: string): Promise<Asset | null>;
  /** Empties the cache, after a write. */
  forget(): void;
}

/** Creates the context of one run. */
export function createRunContext(
  finder: AssetFinder,
  { caller, budget, unfit }: Omit<RunContext, 'targets' | 'changes' | 'searches'>,
): RunContext {
  const loader = new DataLoader<string, Asset | null>(async (ids) => {
    budget.assertLeft();
    const found = new Map<string, Asset>();
    for await (const assets of finder.getMany(ids, caller)) {
      for (const asset of budget.keepAll(assets)) found.set(asset._id, asset);
    }
    return ids.map((id) => found.get(id) ?? null);
  });
  return {
    caller,
    budget,
    targets: { load: (id) => loader.load(id.toLowerCase()), forget: () => void loader.clearAll() },
    unfit,
    changes: [],
    searches: createSearchGroup(),
  };
}
