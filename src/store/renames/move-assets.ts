/**
 * Gives the values of renamed fields the names of a phase, in all assets of their types: in steps small enough to block neither the
 * event loop nor the store.
 */
import { setTimeout } from 'node:timers/promises';
import { isDomainError, storeBusy } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { idPath } from '../../query/sort.ts';
import type { BackfillPhase, BackfillProgress, BackfillState, Rewrite } from '../backfill-calls.ts';
import type { ContentStore, StoredText } from '../port.ts';
import { moveMembers, type RenamedType } from './renamed-members.ts';
import type { Renames } from './renames.ts';

/** How many assets a step has. */
const smallestStep = 16;
const largestStep = 128;
/** The time that a step should take, in milliseconds, including the store's; twice that of the quickest step where that is more. */
const stepMs = 20;
const longestRestMs = 1_000;
const reportMs = 1_000;
/** How often a step is tried while the store is busy, with a rest after each attempt. */
const maxAttempts = 60;

/** What to do in a phase. */
interface Move {
  /** The renames of the phase. */
  readonly renames: Renames;
  readonly state: BackfillState;
  /** Receives how far the work is; an error ends the work. */
  readonly report: (progress: BackfillProgress) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Moves the values from where the last run stopped. Returns whether all is done, rather than what was until the signal. */
export async function moveAssets(store: ContentStore, move: Move): Promise<boolean> {
  const { state, signal, report } = move;
  if (!state.progress) throw new Error('The work on a phase has no progress');
  let progress = state.progress;
  let reportedMs = performance.now();
  const types = [...new Set(state.fields.map(({ type }) => type))].sort();
  const { type: current, after } = progress;
  for (const type of types.slice(current === undefined ? 0 : types.indexOf(current))) {
    let limit = smallestStep;
    let quickestMs = Number.POSITIVE_INFINITY;
    for (let last = type === current ? after : undefined; ; ) {
      if (signal?.aborted) {
        await report(progress);
        return false;
      }
      const startedMs = performance.now();
      const { page, rewritten } = await whenAvailable(async () => {
        const found = await readStep(store, { type, last, limit });
        return { page: found, rewritten: await rewriteAll(store, found.items, move) };
      }, signal);
      last = page.items.at(-1)?.id ?? last;
      progress = {
        ...progress,
        type,
        ...(last !== undefined && { after: last }),
        visited: progress.visited + page.items.length,
        rewritten: progress.rewritten + rewritten,
      };
      if (performance.now() - reportedMs > reportMs) {
        await report(progress);
        reportedMs = performance.now();
      }
      if (!page.rest && page.items.length < limit) break;
      const tookMs = performance.now() - startedMs;
      quickestMs = Math.min(quickestMs, tookMs);
      // Most of the time may be the way to the store, which a smaller step does not shorten.
      const fitting = Math.floor((limit * Math.max(stepMs, 2 * quickestMs)) / tookMs);
      limit = Math.max(smallestStep, Math.min(largestStep, limit * 2, fitting));
      // Pauses as long as the step took, so that the store is free at least half of the time.
      await setTimeout(Math.min(tookMs, longestRestMs));
    }
    const { after: _, ...done } = progress;
    progress = done;
  }
  await report(progress);
  return true;
}

/**
 * Does a step, again while the store is busy: rewriting twice changes nothing. A step reads few assets by an index, so one that is too
 * costly has met a busy store, too. Errors: store_busy after a minute, or after the signal.
 */
async function whenAvailable<Result>(
  step: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      const isTooSlow = isDomainError(error, 'query_too_costly');
      if (!isTooSlow && !isDomainError(error, 'store_busy')) throw error;
      if (attempt === maxAttempts || signal?.aborted) {
        throw isTooSlow ? storeBusy('it reads too slowly to go on with the backfill', error) : error;
      }
      await setTimeout(longestRestMs);
    }
  }
}

/** Reads the assets of a step. Those beyond the first chunk are read by the next one. */
function readStep(
  store: ContentStore,
  { type, last, limit }: { type: string; last: string | undefined; limit: number },
) {
  const where: BoundPredicate | undefined =
    last === undefined ? undefined : { kind: 'compare', path: idPath, operator: 'gt', value: last };
  return store.texts.find({ types: [type], ...(where && { where }), offset: 0, limit, withCount: false });
}

/** Rewrites those of some assets that do not have the names of the phase. Returns how many. */
async function rewriteAll(
  store: ContentStore,
  items: readonly StoredText[],
  { renames, state: { phase } }: Move,
): Promise<number> {
  const toRewrites = (texts: readonly StoredText[]) =>
    texts.flatMap((text) => {
      const type = renames.byStoredClass.get(text.type);
      return type ? toRewrite(text, { type, phase }) : [];
    });
  let rewritten = 0;
  let open = toRewrites(items);
  let unread: readonly string[] = [];
  for (;;) {
    const replaced = new Set(await store.backfill.rewrite(open));
    rewritten += replaced.size;
    // Others have changed or deleted these since they were read.
    unread = [...unread, ...open.filter(({ id }) => !replaced.has(id)).map(({ id }) => id)];
    if (unread.length === 0) return rewritten;
    const chunk = await store.texts.getChunk(unread);
    open = toRewrites(chunk.items);
    unread = chunk.rest ?? [];
  }
}

function toRewrite(
  { id, type: name, text, version, shape }: StoredText,
  { type, phase }: { type: RenamedType; phase: BackfillPhase },
): Rewrite[] {
  // Safe: the text of an asset is that of an object.
  const asset = JSON.parse(text) as JsonObject;
  const moved = moveMembers(asset, type.members);
  const fits = shape !== undefined && type.storedShapes.has(shape);
  const fitting = fits ? (type.finalShapes?.[phase === 'removing' ? 'present' : 'former'] ?? shape) : shape;
  if (moved === asset && fitting === shape) return [];
  return [
    {
      id,
      type: name,
      version,
      text: moved === asset ? text : JSON.stringify(moved),
      ...(fitting !== undefined && { shape: fitting }),
    },
  ];
}
