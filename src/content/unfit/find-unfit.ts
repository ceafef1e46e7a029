/**
 * Finds and counts the assets of one type that do not fit it, in steps small enough to block neither the event loop nor the store.
 *
 * A search goes in the order of the `_id`s, so that assets can be repaired one after another. It reads for a limited time, however rare
 * unfit assets are, and says where the next one continues.
 */

import { setTimeout } from 'node:timers/promises';
import type { Problem } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { Asset } from '../../model/content-type.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { idPath } from '../../query/sort.ts';
import type { ContentStore } from '../../store/port.ts';

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
interface UnfitAsset {
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

/** A rule that assets break, with the `_id`s of a few of them. */
export interface BrokenRule {
  /** As in a problem, but without list indexes: `tags[]`. */
  readonly path: string;
  readonly message: string;
  readonly count: number;
  readonly ids: readonly string[];
}

export interface CountedType {
  readonly type: string;
  /** Whether all assets were counted, rather than those until the signal. */
  readonly isComplete: boolean;
  readonly assets: number;
  /** How many of them break any rule. */
  readonly unfit: number;
  readonly rules: readonly BrokenRule[];
}

const firstStep = 16;
const largestStep = 64;
/** The time that a step should take, including the store's. */
const stepMs = 10;
const longestRestMs = 1_000;
const maxRules = 100;

/**
 * Counts the unfit assets of a type until the signal; `maxIds` is how many are named for each rule, by their `_id` or by `nameOf`. Errors:
 * the store's.
 */
export async function countUnfit({
  type,
  store,
  findProblems,
  nameOf = ({ _id }) => _id,
  maxIds,
  signal,
}: {
  type: string;
  store: Pick<ContentStore, 'find'>;
  findProblems: (asset: Asset) => readonly Problem[];
  nameOf?: (asset: Asset) => string;
  maxIds: number;
  signal: AbortSignal;
}): Promise<CountedType> {
  const tally = createTally(maxIds);
  let [assets, limit] = [0, firstStep];
  for (let last: string | undefined; !signal.aborted; ) {
    const startedMs = performance.now();
    const found = await findAssetsAfter(store, { type, last, limit });
    for (const asset of found.assets) tally.add(nameOf(asset), findProblems(asset));
    assets += found.assets.length;
    if (found.isLast) return { type, isComplete: true, assets, ...tally.result() };
    last = found.assets.at(-1)?._id;
    const tookMs = performance.now() - startedMs;
    limit = Math.max(1, Math.min(largestStep, limit * 2, Math.floor((limit * stepMs) / tookMs)));
    // Pauses as long as the step took, so that the store and the event loop are free at least half of the time.
    await setTimeout(Math.min(tookMs, longestRestMs), undefined, { ref: false });
  }
  return { type, isComplete: false, assets, ...tally.result() };
}

/** Finds the next assets of a type in the order of their `_id`s, and whether none is left after them. */
export async function findAssetsAfter(
  store: Pick<ContentStore, 'find'>,
  { type, last, limit }: { type: string; last: string | undefined; limit: number },
): Promise<{ readonly assets: readonly Asset[]; readonly isLast: boolean }> {
  const afterLast: { where?: BoundPredicate } = last === undefined ? {} : { where: hasIdAfter(last) };
  const page = await store.find({ types: [type], ...afterLast, offset: 0, limit, withCount: false });
  // Assets beyond the first chunk are read by the next step.
  const { items, rest } = page;
  return { assets: items.map(({ asset }) => asset), isLast: !rest && items.length < limit };
}

/** Returns the path of a rule that is broken at a path: the same without list indexes. */
const toRulePath = (path: string) => path.replace(/\[\d+\]/g, '[]');

const hasIdAfter = (id: string): BoundPredicate => ({
  kind: 'compare',
  path: idPath,
  operator: 'gt',
  value: id,
});

interface GrowingRule {
  readonly path: string;
  readonly message: string;
  count: number;
  readonly ids: string[];
}

function createTally(maxIds: number) {
  const rules = new Map<string, GrowingRule>();
  let unfit = 0;

  function addRule(id: string, { path, message }: Problem): void {
    const key = `${path}\0${message}`;
    const rule = rules.get(key) ?? { path, message, count: 0, ids: [] };
    if (rules.size < maxRules) rules.set(key, rule);
    rule.count++;
    if (rule.ids.length < maxIds) rule.ids.push(id);
  }

  return {
    add(id: string, problems: readonly Problem[]) {
      if (problems.length === 0) return;
      unfit++;
      // An asset that breaks a rule in several places of a list breaks it once.
      const broken = new Map<string, Problem>();
      for (const { path, message } of problems) {
        const general = toRulePath(path);
        broken.set(`${general}\0${message}`, { path: general, message });
      }
      for (const problem of broken.values()) addRule(id, problem);
    },
    result: () => ({ unfit, rules: [...rules.values()] }),
  };
}
