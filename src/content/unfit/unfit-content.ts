/**
 * Finds unfit content: stored assets that no longer fit their content type, because the type has changed since.
 *
 * A background count finds the types that have unfit assets. Reads check assets of those types only, and of types not counted
 * yet, so that reading content that fits costs nothing. While a process with other types serves the same store, which may write unfit
 * assets at any time, reads check all types. The count is repeated at long intervals, soon after a read has found unfit content, and
 * when such processes are gone.
 */

import { setTimeout } from 'node:timers/promises';
import type { Problem } from '../../base/errors.ts';
import { type Clock, type Logger, systemClock } from '../../base/runtime.ts';
import type { Asset, Catalog, JsonObject } from '../../model/content-type.ts';
import { createStoredCheck } from '../../model/values/check-stored.ts';
import type { AssetValidators } from '../../model/values/validate-asset.ts';
import type { FieldSelection } from '../../query/select-fields.ts';
import type { ContentStore, StoredText } from '../../store/port.ts';
import { createShapes } from '../../types/type-shape.ts';
import type { OpenPage } from '../reading/read-chunks.ts';
import { type CountedType, countUnfit, findUnfit, type UnfitPage, type UnfitSearch } from './find-unfit.ts';

/** A field of a stored asset that breaks a rule of its type; `path` is a JSON name such as `address.city` or `tags[2]`. */
export interface UnfitField extends Problem {
  readonly _id: string;
}

/** The last count of a type; it covers all writes before `countedAtMs`. */
interface TypeCount extends Omit<CountedType, 'isComplete'> {
  readonly countedAtMs: number;
}

/** Checks whether stored assets fit their types. */
export type UnfitContent = ReturnType<typeof createUnfitContent>;

/** The most problems reported of one asset. */
const maxProblems = 100;
/** How many assets the log names for each rule that they break. */
const maxIds = 5;

/** The pauses between two counts: the shortest, which is also that of the monitor of schemas, and the usual one when no read has found unfit content. */
interface CountTiming {
  readonly leastRestMs: number;
  readonly usualRestMs: number;
}

const usualTiming: CountTiming = { leastRestMs: 60_000, usualRestMs: 600_000 };
/** A pause is at least this many times as long as the count before it. */
const restFactor = 20;
const noProblems: readonly Problem[] = [];

/** Creates the checks for one catalog. Until they are started, all types are checked. */
export function createUnfitContent({
  catalog,
  validators,
  store,
  logger,
  clock = systemClock,
  timing = usualTiming,
}: {
  catalog: Catalog;
  validators: AssetValidators;
  store: ContentStore;
  logger: Logger;
  clock?: Clock;
  timing?: CountTiming;
}) {
  const shapeOf = createShapes(catalog);
  const checkStored = createStoredCheck(catalog, validators);
  const fitTypes = new Set<string>();
  const unfitTypes = new Set<string>();
  const counts = new Map<string, TypeCount>();
  const logged = new Map<string, string>();
  const stopping = new AbortController();
  let recheckRequests = 0;
  let wake = () => {};
  let counting: Promise<unknown> | undefined;

  function findProblems(asset: Asset): readonly Problem[] {
    const problems = checkStored(asset)?.problems ?? noProblems;
    return problems.length > maxProblems ? problems.slice(0, maxProblems) : problems;
  }

  /** Checks an asset; returns no problems for a type that is known to have no unfit assets. */
  const check = (asset: Asset) => (fitTypes.has(asset._type) ? noProblems : findProblems(asset));

  const mayBeUnfit = ({ type, shape }: StoredText) => !fitTypes.has(type) && shape !== shapeOf(type);

  async function countTypes(): Promise<void> {
    const { signal } = stopping;
    for (const type of catalog.types.keys()) {
      const [requestsBefore, countedAtMs] = [recheckRequests, clock.nowMs()];
      const counted = await countUnfit({ type, store, findProblems, maxIds, signal });
      const { isComplete, ...count } = counted;
      if (!isComplete) return;
      counts.set(type, { ...count, countedAtMs });
      noteCount(counted, { isCurrent: recheckRequests === requestsBefore });
      logUnfit(counted);
    }
  }

  function noteCount({ type, unfit }: CountedType, { isCurrent }: { isCurrent: boolean }): void {
    if (unfit > 0) {
      fitTypes.delete(type);
      unfitTypes.add(type);
    } else {
      unfitTypes.delete(type);
      if (isCurrent && !monitor.hasOtherSchemas()) fitTypes.add(type);
    }
  }

  /** Logs a result, unless it was logged before. */
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
      logger.warn({ type, assets }, 'Stored assets have a content type that no longer exists');
    }
  }

  async function run(others: readonly string[]): Promise<void> {
    await untilDone(() => logVanished(others));
    while (!stopping.signal.aborted) {
      const [startedMs, before] = [performance.now(), recheckRequests];
      await untilDone(countTypes);
      const restMs = Math.max(timing.usualRestMs, (performance.now() - startedMs) * restFactor);
      await pause(timing.leastRestMs);
      if (recheckRequests === before) await Promise.race([nextRecheckRequest(), pause(restMs)]);
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

  const nextRecheckRequest = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  /** Waits, but ends early when counting is stopped. */
  const pause = (ms: number) =>
    setTimeout(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);

  const monitor = createSchemaMonitor({
    store,
    logger,
    signal: stopping.signal,
    pause: () => pause(timing.leastRestMs),
    onChange(hasOthers) {
      fitTypes.clear();
      if (!hasOthers) requestCount();
    },
  });

  function requestCount(): void {
    recheckRequests++;
    wake();
  }

  return {
    check,
    /** Checks an asset, which need not be stored, by the rules of a type alone. */
    checkRules: (type: string, asset: JsonObject): readonly Problem[] =>
      validators.get(type)?.checkRules(asset) ?? noProblems,
    /** Returns whether assets of a type are checked. */
    isChecked: (type: string) => !fitTypes.has(type),
    /** Returns whether the last count found assets of a type that do not fit it. */
    hasUnfit: (type: string) => unfitTypes.has(type),
    /** Checks several assets, in their order. */
    checkAll: (assets: readonly Asset[]): readonly UnfitField[] =>
      assets.flatMap((asset) => toUnfitFields(asset, check(asset))),
    /** Checks several assets, in their order. Parses only those that may be unfit. */
    checkTexts: (texts: readonly StoredText[]): readonly UnfitField[] =>
      texts.filter(mayBeUnfit).flatMap(({ text }) => {
        // Every stored text is that of an asset.
        const asset = JSON.parse(text) as Asset;
        return toUnfitFields(asset, findProblems(asset));
      }),
    /** Returns the last count of each type that was counted, in the order of the catalog. */
    counts: (): readonly TypeCount[] => [...counts.values()],
    /** Finds unfit assets in the store. A search from the beginning also makes the next count begin soon. Errors: the store's. */
    find(search: UnfitSearch): Promise<UnfitPage> {
      if (search.after === undefined) wake();
      return findUnfit(search, { store, findProblems, clock });
    },
    /** Checks an asset, also of a type that is known to have no unfit assets. */
    checkOne: findProblems,
    /** Checks a past state of an asset, which the count does not cover. */
    checkPast: (state: Asset): readonly UnfitField[] => toUnfitFields(state, findProblems(state)),
    /** Requests a new check of all types: a read found an unfit asset in a type that had none, maybe from another process. */
    recheck() {
      if (fitTypes.size === 0) return;
      fitTypes.clear();
      requestCount();
    },
    /** Starts to count unfit assets in the background, and logs them. `others` are classes in the store that are not content. */
    start(others: readonly string[]) {
      counting ??= Promise.all([run(others), monitor.run()]);
    },
    /** Stops counting; resolves when no call of the store is in progress. */
    async stop(): Promise<void> {
      stopping.abort();
      wake();
      await counting;
    },
  };
}

function toUnfitFields({ _id }: Asset, problems: readonly Problem[]): UnfitField[] {
  return problems.map(({ path, message }) => ({ _id, path, message }));
}

// Watches whether processes with other content types serve the store: they may write assets that do not fit the types of this one.
//
// Any other SDL counts, because loading the types of others would take the event loop for seconds.

/** Creates it; `onChange` is called when the first of them has come, and when the last one is gone. */
function createSchemaMonitor({
  store,
  logger,
  signal,
  pause,
  onChange,
}: {
  store: Pick<ContentStore, 'readServing'>;
  logger: Logger;
  signal: AbortSignal;
  pause: () => Promise<void>;
  onChange: (hasOthers: boolean) => void;
}) {
  let hasOthers = false;

  async function check(): Promise<void> {
    const serving = await store.readServing();
    const kinds = new Set(serving.map(({ sources, areShipped }) => JSON.stringify([areShipped, sources])));
    const found = kinds.size > 1;
    if (found === hasOthers) return;
    hasOthers = found;
    onChange(found);
  }

  return {
    hasOtherSchemas: () => hasOthers,
    /** Looks again, and again after each pause, until the signal. */
    async run(): Promise<void> {
      while (!signal.aborted) {
        await check().catch((err: unknown) =>
          logger.warn(
            { err },
            'The processes that serve the store could not be read; it will be tried again',
          ),
        );
        await pause();
      }
    },
  };
}

/** A page, and the unfit fields of its assets read so far. */
interface WatchedPage {
  readonly watched: OpenPage<StoredText>;
  readonly unfit: readonly UnfitField[];
}

/**
 * Checks the assets of a page as they are read; the caller must read the rest through `watched`. With a selection, `watched` has the
 * selected fields only, and `unfit` what does not fit of them.
 */
export function watchPage(
  page: OpenPage<StoredText>,
  content: UnfitContent,
  selection?: FieldSelection,
): WatchedPage {
  const unfit: UnfitField[] = [];
  const check = (texts: readonly StoredText[]) => {
    const found = content.checkTexts(texts);
    unfit.push(...(selection ? found.filter(({ path }) => selection.covers(path)) : found));
    return selection ? texts.map((text) => pickFromText(text, selection)) : texts;
  };
  const first = check(page.first);
  const { rest } = page;
  return { watched: rest ? { ...page, first, rest: mapChunks(rest, check) } : { ...page, first }, unfit };
}

/** Returns a page whose assets have their selected fields only. */
export function selectFromPage(page: OpenPage<StoredText>, selection: FieldSelection): OpenPage<StoredText> {
  const pick = (texts: readonly StoredText[]) => texts.map((text) => pickFromText(text, selection));
  const { rest } = page;
  return { ...page, first: pick(page.first), ...(rest && { rest: mapChunks(rest, pick) }) };
}

/** Returns an asset with its selected fields only. */
export function pickFromText<Text extends StoredText>(
  stored: Text,
  selection: Pick<FieldSelection, 'pick'>,
): Text {
  // Every stored text is that of an asset.
  return { ...stored, text: JSON.stringify(selection.pick(JSON.parse(stored.text) as Asset)) };
}

/** Passes each chunk through `map`. Not a generator, since that would keep a chunk in memory until the next one is requested. */
function mapChunks(
  chunks: AsyncIterable<readonly StoredText[]>,
  map: (texts: readonly StoredText[]) => readonly StoredText[],
): AsyncIterable<readonly StoredText[]> {
  return {
    [Symbol.asyncIterator]() {
      const source = chunks[Symbol.asyncIterator]();
      const next = async (): Promise<IteratorResult<readonly StoredText[], undefined>> => {
        const chunk = await source.next();
        return chunk.done ? { done: true, value: undefined } : { done: false, value: map(chunk.value) };
      };
      return { next };
    },
  };
}
