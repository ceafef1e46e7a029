/**
 * Finds stored content that no longer fits its types, since the types have changed after it was written.
 *
 * A count in the background finds out which types have such assets. Reads check the assets of those types alone, and of all
 * types until the count has reached them, so that content that fits costs nothing to read. It is repeated at long intervals, and
 * soon after a read has met what does not fit, since processes that have other types may write to the same store.
 */
import { setTimeout } from 'node:timers/promises';
import type { Problem } from '../../base/errors.ts';
import type { Logger } from '../../base/runtime.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { AssetValidators } from '../../model/validate-asset.ts';
import type { ContentStore } from '../../store/port.ts';
import { type CountedType, countUnfit } from './count-unfit.ts';

/** One thing about a stored asset that breaks a rule of its type; `path` is a JSON name such as `address.city` or `tags[2]`. */
export interface UnfitField extends Problem {
  readonly _id: string;
}

/** Tells which stored assets do not fit their types. */
export interface UnfitContent {
  /** What is wrong with an asset; empty for a type that is known to have no unfit assets. */
  check(asset: Asset): readonly Problem[];
  /** Whether assets of a type are checked. */
  isChecked(type: string): boolean;
  /** What is wrong with several assets, in their order. */
  checkAll(assets: readonly Asset[]): readonly UnfitField[];
  /** Has all types checked again, since an asset of a type without unfit ones did not fit: another process may have written it. */
  suspect(): void;
  /** Counts in the background what does not fit, and logs it. `others` are classes of the store that are no content. */
  start(others: readonly string[]): void;
  /** Ends the counting; resolves when no call of the store is under way any more. */
  stop(): Promise<void>;
}

/** The most problems that are told of one asset. */
const maxProblems = 100;
/** How long there is no counting: at least, and when nothing calls for it. */
export interface CountTiming {
  readonly leastRestMs: number;
  readonly usualRestMs: number;
}

const usualTiming: CountTiming = { leastRestMs: 60_000, usualRestMs: 600_000 };
/** A rest is at least so many times as long as the count before it. */
const restFactor = 20;
const nothing: readonly Problem[] = [];

/** Makes it for the content of one catalog. Until it is started, all types are checked. */
export function createUnfitContent({
  catalog,
  validators,
  store,
  logger,
  timing = usualTiming,
}: {
  catalog: Catalog;
  validators: AssetValidators;
  store: ContentStore;
  logger: Logger;
  timing?: CountTiming;
}): UnfitContent {
  const fit = new Set<string>();
  const logged = new Map<string, string>();
  const stopping = new AbortController();
  let suspicions = 0;
  let wake = () => {};
  let counting: Promise<void> | undefined;

  function findProblems(asset: Asset): readonly Problem[] {
    const problems = validators.get(asset._type)?.checkNew(asset).problems ?? nothing;
    return problems.length > maxProblems ? problems.slice(0, maxProblems) : problems;
  }

  const check = (asset: Asset) => (fit.has(asset._type) ? nothing : findProblems(asset));

  async function countTypes(): Promise<void> {
    const { signal } = stopping;
    for (const type of catalog.types.keys()) {
      const suspicionsBefore = suspicions;
      const counted = await countUnfit({ type, store, findProblems, signal });
      if (!counted) return;
      if (counted.unfit > 0) fit.delete(type);
      else if (suspicions === suspicionsBefore) fit.add(type);
      logUnfit(counted);
    }
  }

  /** What was logged already is not logged again. */
  function logUnfit({ type, assets, unfit, rules }: CountedType): void {
    const found = JSON.stringify(rules);
    if (logged.get(type) === found) return;
    logged.set(type, found);
    for (const { path, message, count, ids } of rules) {
      logger.warn(
        { type, path, rule: message, assets: count, ids },
        'Stored assets do not fit their content type',
      );
    }
    logger.debug({ type, assets, unfit }, 'Stored assets checked');
  }

  async function logVanished(others: readonly string[]): Promise<void> {
    const found = await store.countOthers([...catalog.types.keys(), ...others]);
    for (const [type, assets] of found) {
      logger.warn({ type, assets }, 'Stored assets are of a content type that is not there any more');
    }
  }

  async function run(others: readonly string[]): Promise<void> {
    await untilDone(() => logVanished(others));
    while (!stopping.signal.aborted) {
      const [startedMs, before] = [performance.now(), suspicions];
      await untilDone(countTypes);
      const restMs = Math.max(timing.usualRestMs, (performance.now() - startedMs) * restFactor);
      await pause(timing.leastRestMs);
      if (suspicions === before) await Promise.race([nextSuspicion(), pause(restMs)]);
    }
  }

  async function untilDone(work: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await work();
      } catch (err) {
        logger.warn({ err }, 'Stored assets could not be checked; it will be tried again');
        await pause(timing.leastRestMs);
      }
    }
  }

  const nextSuspicion = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  /** Ends early when the counting is stopped. */
  const pause = (ms: number) =>
    setTimeout(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  return {
    check,
    isChecked: (type) => !fit.has(type),
    checkAll: (assets) =>
      assets.flatMap((asset) => check(asset).map(({ path, message }) => ({ _id: asset._id, path, message }))),
    suspect() {
      if (fit.size === 0) return;
      suspicions++;
      fit.clear();
      wake();
    },
    start(others) {
      counting ??= run(others);
    },
    async stop() {
      stopping.abort();
      wake();
      await counting;
    },
  };
}
