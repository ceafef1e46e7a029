/**
 * What the resolvers of one run of an operation share.
 */
import DataLoader from 'dataloader';
import type { AssetFinder, Caller } from '../../content/reading/find-assets.ts';
import type { Asset } from '../../model/content-type.ts';
import type { AnswerBudget } from './answer-budget.ts';
import type { UnfitMarks } from './unfit-fields.ts';

/** The caller of a run, how large its answer may be, and the assets referred to in it. */
export interface RunContext {
  readonly caller: Caller;
  readonly answer: AnswerBudget;
  readonly targets: TargetLoader;
  readonly unfit: UnfitMarks;
}

/** Loads single assets, such as the targets of references; those asked for in one tick come by one call of the finder. */
export interface TargetLoader {
  /** The asset, or null when there is none for the caller. Errors: answer_too_large. */
  load(id: string): Promise<Asset | null>;
  /** Forgets what was loaded, since something was written. */
  forget(): void;
}

/** Makes the context of one run. */
export function createRunContext(
  finder: AssetFinder,
  { caller, answer, unfit }: Omit<RunContext, 'targets'>,
): RunContext {
  const loader = new DataLoader<string, Asset | null>(async (ids) => {
    answer.assertLeft();
    const found = new Map<string, Asset>();
    for await (const assets of finder.getMany(ids, caller)) {
      for (const asset of answer.keepAll(assets)) found.set(asset._id, asset);
    }
    return ids.map((id) => found.get(id) ?? null);
  });
  return {
    caller,
    answer,
    targets: { load: (id) => loader.load(id.toLowerCase()), forget: () => void loader.clearAll() },
    unfit,
  };
}
