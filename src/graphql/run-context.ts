/**
 * What the resolvers of one run of an operation share.
 */
import DataLoader from 'dataloader';
import type { AssetFinder, Caller } from '../content/find-assets.ts';
import type { Asset } from '../model/content-type.ts';

/** The caller of a run, and the assets referred to in it. */
export interface RunContext {
  readonly caller: Caller;
  readonly targets: TargetLoader;
}

/** Loads the targets of references; those asked for in one tick come by one call of the finder. */
export interface TargetLoader {
  /** The asset, or null when there is none for the caller. */
  load(id: string): Promise<Asset | null>;
  /** Forgets what was loaded, since something was written. */
  forget(): void;
}

/** Makes the context of one run. */
export function createRunContext(finder: AssetFinder, caller: Caller): RunContext {
  const loader = new DataLoader<string, Asset | null>(async (ids) => {
    const found = await finder.getMany(ids, caller);
    return ids.map((id) => found.get(id) ?? null);
  });
  return { caller, targets: { load: (id) => loader.load(id), forget: () => void loader.clearAll() } };
}
