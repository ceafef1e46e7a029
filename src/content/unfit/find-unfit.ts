/**
 * Finds the assets of one type that do not fit it, in the order of their `_id`s, so that they can be repaired one after another.
 *
 * A search reads for a limited time, however rare unfit assets are, and says where the next one continues.
 */
import type { Problem } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { Asset } from '../../model/content-type.ts';
import type { ContentStore } from '../../store/port.ts';
import { type BrokenRule, findAssetsAfter, toRulePath } from './count-unfit.ts';

/** A rule of a content type, as in a count. */
export type Rule = Pick<BrokenRule, 'path' | 'message'>;

/** Which assets to find. */
export interface UnfitSearch {
  /** Class name. */
  readonly type: string;
  /** Finds assets that break this rule; absent means any. */
  readonly rule?: Rule;
  /** The `_id` to continue after; absent begins with the first asset. */
  readonly after?: string;
  /** How many assets to find at most. */
  readonly limit: number;
  /** Ends the search early. */
  readonly signal?: AbortSignal;
}

/** An asset with the rules that it breaks. */
export interface UnfitAsset {
  readonly asset: Asset;
  readonly problems: readonly Problem[];
}

/** The assets found. */
export interface UnfitPage {
  readonly items: readonly UnfitAsset[];
  /** When the search began; what was written before it is covered. */
  readonly startedAtMs: number;
  /** How many assets were checked. */
  readonly checked: number;
  /** The `after` of the next search; absent when all assets of the type were checked. */
  readonly next?: string;
}

/** The time that a search may read for. */
const budgetMs = 500;
const step = 256;

/** Searches the assets of a type. Errors: the store's; the signal's reason. */
export async function findUnfit(
  { type, rule, after, limit, signal }: UnfitSearch,
  {
    store,
    findProblems,
    clock,
  }: {
    store: Pick<ContentStore, 'find'>;
    findProblems: (asset: Asset) => readonly Problem[];
    clock: Clock;
  },
): Promise<UnfitPage> {
  const startedAtMs = clock.nowMs();
  const items: UnfitAsset[] = [];
  const endMs = performance.now() + budgetMs;
  let [checked, last] = [0, after];
  for (;;) {
    signal?.throwIfAborted();
    const { assets, isLast } = await findAssetsAfter(store, { type, last, limit: step });
    for (const [index, asset] of assets.entries()) {
      const problems = findProblems(asset);
      if (isWanted(problems, rule)) items.push({ asset, problems });
      checked++;
      last = asset._id;
      const isEnd = isLast && index === assets.length - 1;
      if (items.length >= limit && !isEnd) return { items, startedAtMs, checked, next: last };
    }
    if (isLast) return { items, startedAtMs, checked };
    if (performance.now() >= endMs && last !== undefined) return { items, startedAtMs, checked, next: last };
  }
}

function isWanted(problems: readonly Problem[], rule: Rule | undefined): boolean {
  if (!rule) return problems.length > 0;
  return problems.some(({ path, message }) => message === rule.message && toRulePath(path) === rule.path);
}
