/**
 * Loads single assets, such as the targets of references: all that are requested in one tick by one call of the finder, and each only
 * once in a run.
 */
import { isDomainError } from '../../base/errors.ts';
import type { AssetFinder, Caller } from '../../content/reading/find-assets.ts';
import type { Asset } from '../../model/content-type.ts';
import type { ResponseBudget } from './response-budget.ts';

/** The outcome of loading one asset: null when there is none that the caller may see, or the error. */
export type LoadedAsset = { readonly asset: Asset | null } | { readonly error: unknown };

/** Loads assets by their IDs. */
export interface TargetLoader {
  /** Loads an asset; null when there is none that the caller may see. Errors: answer_too_large. */
  load(id: string): Promise<Asset | null>;
  /** Loads assets, and returns a function that returns the outcome for each of these IDs. */
  loadAll(ids: readonly string[]): Promise<(id: string) => LoadedAsset>;
  /** Forgets all assets, after a write. */
  forget(): void;
}

/** The assets that are requested in one tick. */
interface Batch {
  readonly ids: string[];
  readonly done: Promise<void>;
}

/** Creates the loader of one run. */
export function createTargetLoader(
  finder: AssetFinder,
  {
    caller,
    budget,
    onMissing,
  }: {
    caller: Caller;
    budget: ResponseBudget;
    /** Is called when there is no asset that the caller may see. */
    onMissing?: (() => void) | undefined;
  },
): TargetLoader {
  const loaded = new Map<string, LoadedAsset>();
  const requested = new Map<string, Batch>();
  let next: Batch | undefined;

  async function loadAll(ids: readonly string[]): Promise<(id: string) => LoadedAsset> {
    const awaited = new Set<Promise<void>>();
    for (const id of ids) {
      const key = id.toLowerCase();
      if (!loaded.has(key)) awaited.add(request(key).done);
    }
    if (awaited.size > 0) await Promise.all(awaited);
    return (id) => loaded.get(id.toLowerCase()) ?? { asset: null };
  }

  function request(id: string): Batch {
    const under = requested.get(id);
    if (under) return under;
    next ??= openBatch();
    next.ids.push(id);
    requested.set(id, next);
    return next;
  }

  function openBatch(): Batch {
    const ids: string[] = [];
    return { ids, done: endOfTick().then(() => run(ids)) };
  }

  async function run(ids: readonly string[]): Promise<void> {
    next = undefined;
    try {
      budget.assertLeft();
      const found = await read(ids);
      if (found.size < ids.length) onMissing?.();
      for (const id of ids) loaded.set(id, { asset: found.get(id) ?? null });
    } catch (error) {
      for (const id of ids) loaded.set(id, { error });
    }
    for (const id of ids) requested.delete(id);
  }

  async function read(ids: readonly string[]): Promise<ReadonlyMap<string, Asset>> {
    const found = new Map<string, Asset>();
    const [first, second] = ids;
    if (first !== undefined && second === undefined) {
      const asset = await findOne(first);
      if (asset) found.set(first, budget.keep(asset));
      return found;
    }
    for await (const assets of finder.getMany(ids, caller)) {
      for (const asset of budget.keepAll(assets)) found.set(asset._id, asset);
    }
    return found;
  }

  async function findOne(id: string): Promise<Asset | undefined> {
    try {
      return (await finder.get(id, caller)).asset;
    } catch (error) {
      if (isDomainError(error, 'not_found')) return undefined;
      throw error;
    }
  }

  return {
    async load(id) {
      const outcome = (await loadAll([id]))(id);
      if ('error' in outcome) throw outcome.error;
      return outcome.asset;
    },
    loadAll,
    forget: () => loaded.clear(),
  };
}

/** Resolves when everything that the current tick has resolved has been handled. */
export const endOfTick = () =>
  Promise.resolve().then(() => new Promise<void>((resolve) => process.nextTick(resolve)));
