/**
 * Purges a cache of what has changed, until it is stopped: gathers the tags of changes for a second, sends them, and sends them once more
 * 5 seconds later, because a read that began before the purge may have filled the cache with former content.
 *
 * The cursor is saved only up to changes whose tags were sent twice, so after a crash some are purged again. While the receiver fails,
 * the tags gather in one bounded set.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { LogFollower } from '../../content/changes/follow-changes.ts';
import { anyTag, typeTag } from '../../text/cache-tags.ts';
import type { CompiledWebhook } from '../compiled-webhook.ts';
import type { Attempt } from '../delivery/attempt.ts';
import type { CursorState, OwnedCursor } from '../records/cursor-records.ts';
import { webhookActions } from '../records/webhook.ts';
import { ReceiverHealth } from '../sender/receiver-health.ts';
import type { WebhookWorker, WorkerContext } from '../sender/webhook-worker.ts';
import { divideTags, tagsOfEveryPurge, tagsPerCall } from './purge-template.ts';
import type { Purges, PurgeWebhook } from './send-purge.ts';

/** What a worker uses. */
interface PurgeContext
  extends Pick<
    WorkerContext,
    'clock' | 'logger' | 'isLeaseHeld' | 'onAttempt' | 'disable' | 'lastSeq' | 'untilGrown'
  > {
  readonly log: Pick<LogFollower, 'readAfter'>;
  readonly purges: Purges;
}

/** Tags to send; times are those of `performance.now()`. */
interface Round {
  readonly tags: PurgeSet;
  /** The changes after this position are part of the round. */
  readonly from: number;
  readonly dueAt: number;
  readonly isRepeat: boolean;
}

const gatherMs = 1_000;
const repeatAfterMs = 5_000;
const saveEveryMs = 500;
const graceMs = 3_000;
/** How many changes are read at a time. */
const pageSize = 100;
/** One round names at most so many assets, and takes about so many requests. */
const maxAssets = 1_000;
const maxCalls = 100;

/** Starts a worker at a cursor that this process owns. */
export function startPurgeWorker(
  context: PurgeContext,
  { webhook, compiled, cursor }: { webhook: PurgeWebhook; compiled: CompiledWebhook; cursor: OwnedCursor },
): WebhookWorker {
  const { log, clock, logger, purges, isLeaseHeld } = context;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const health = new ReceiverHealth(cursor.state);
  const mostAssets = Math.min(maxAssets, maxCalls * tagsPerCall(webhook));
  const filter = { types: compiled.classes, actions: webhookActions };
  let saved: CursorState = cursor.state;
  let savedAt = performance.now();
  let scanned = cursor.state.seq;
  let isAtEnd = false;
  let lastError = cursor.state.lastError;
  let gathering: Round | undefined = saved.isWholeDue ? createWholeRound() : undefined;
  const repeats: Round[] = [];
  let sending: Round | undefined;

  function createWholeRound(): Round {
    const tags = new PurgeSet(mostAssets);
    tags.addWhole(compiled.classes);
    return { tags, from: scanned, dueAt: 0, isRepeat: false };
  }

  async function readMore(): Promise<void> {
    const page = await log.readAfter({ seq: scanned, limit: pageSize, filter });
    for (const change of page.changes) {
      const dueAt = performance.now() + gatherMs;
      gathering ??= { tags: new PurgeSet(mostAssets), from: change.seq - 1, dueAt, isRepeat: false };
      gathering.tags.add(change);
    }
    scanned = page.upTo;
    isAtEnd = page.isEnd;
  }

  /** Takes a round that is due. */
  function takeDue(): Round | undefined {
    if (!isLeaseHeld() || clock.nowMs() < health.retryAtMs) return undefined;
    const now = performance.now();
    const [repeat] = repeats;
    if (repeat && repeat.dueAt <= now) return repeats.shift();
    if (!gathering || gathering.dueAt > now) return undefined;
    const round = gathering;
    gathering = undefined;
    return round;
  }

  /** Sends a round. One that was not sent completely is part of the next one. */
  async function send(round: Round): Promise<void> {
    sending = round;
    const failed = await sendTags(round.tags.tags());
    sending = undefined;
    if (failed) {
      gathering = toGathering(round);
      if (failed !== 'stopped') await fail(failed);
      return;
    }
    health.succeed(clock.nowMs());
    lastError = undefined;
    if (!round.isRepeat) repeats.push({ ...round, dueAt: performance.now() + repeatAfterMs, isRepeat: true });
  }

  /** Sends tags in as many requests as they need, one after the other. Returns why not all of them were sent. */
  async function sendTags(tags: readonly string[]): Promise<Attempt | 'stopped' | undefined> {
    const { signal } = aborting;
    for (const list of divideTags(tags, webhook)) {
      if (signal.aborted || !isLeaseHeld()) return 'stopped';
      const attempt = await purges.send(webhook, list, signal);
      if (signal.aborted) return 'stopped';
      context.onAttempt(webhook, attempt);
      if (!attempt.isDelivered) return attempt;
    }
    return undefined;
  }

  /** Joins a round with what is gathering. */
  function toGathering({ tags, from }: Round): Round {
    if (!gathering) return { tags, from, dueAt: 0, isRepeat: false };
    gathering.tags.addAll(tags);
    return { ...gathering, from: Math.min(from, gathering.from), dueAt: 0 };
  }

  async function fail({ error, retryAfterMs, isGone }: Attempt): Promise<void> {
    if (lastError === undefined) logger.warn({ webhook: webhook.name, error }, 'A cache could not be purged');
    lastError = error;
    // Each purge concerns the receiver as a whole.
    health.fail({ assetId: webhook.id, nowMs: clock.nowMs(), isProbe: true, retryAfterMs });
    const reason = isGone ? 'gone' : health.isExhausted ? 'failing' : undefined;
    if (!reason) return;
    stopping.abort();
    logger.warn({ webhook: webhook.name, reason }, 'A webhook was disabled');
    await context.disable(webhook, reason);
  }

  function position(): number {
    return Math.min(scanned, ...openRounds().map(({ from }) => from));
  }

  /** The rounds that are not sent, or not for the second time. */
  const openRounds = () => [gathering, sending, ...repeats].filter((round) => round !== undefined);

  async function save(): Promise<void> {
    const { failingSinceMs, failures, retryAtMs, lastSuccessAtMs } = health.stored;
    const trouble = health.isExhausted ? noTrouble : { failingSinceMs, failures, retryAtMs };
    const isWholeDue = saved.isWholeDue && openRounds().length > 0 ? true : undefined;
    const state = { ...saved, ...trouble, lastSuccessAtMs, lastError, isWholeDue, seq: position() };
    savedAt = performance.now();
    if (JSON.stringify(state) === JSON.stringify(saved)) return;
    saved = state;
    await cursor.save(state);
  }

  /** Waits until a round is due, or for growth of the log. */
  async function pause(): Promise<void> {
    const waiting = new AbortController();
    const signal = AbortSignal.any([waiting.signal, stopping.signal]);
    const dueAt = Math.min(...[gathering, repeats[0]].map((round) => round?.dueAt ?? Infinity));
    const waitMs = Math.max(
      dueAt - performance.now(),
      health.retryAtMs - clock.nowMs(),
      isLeaseHeld() ? 0 : 1_000,
    );
    const timer = sleep(Math.min(Math.max(waitMs, 0), saveEveryMs), undefined, { signal, ref: false });
    await Promise.race([
      timer.catch(() => undefined),
      ...(isAtEnd ? [context.untilGrown(scanned, signal)] : []),
    ]);
    waiting.abort();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (!isAtEnd || context.lastSeq() > scanned) await readMore();
      const due = takeDue();
      if (due) await send(due);
      if (performance.now() - savedAt >= saveEveryMs) await save();
      if (!due && isAtEnd && !stopping.signal.aborted) await pause();
    }
    if (isLeaseHeld()) await save();
  }

  const ended = run();
  // The callers that wait for the end receive the error.
  ended.catch(() => undefined);

  return {
    ended,
    progress: () => ({ position: position(), held: 0, isFailing: health.isFailing }),
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => aborting.abort(), graceMs);
      await ended.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}

const noTrouble = { failingSinceMs: undefined, failures: undefined, retryAtMs: undefined };

// The cache tags that changes have touched, without repetitions and bounded: when too many assets have changed, the tags of their types
// stand for those of the assets.

/** The tags of one purge. */
export class PurgeSet {
  readonly #maxAssets: number;
  readonly #assets = new Set<string>();
  /** The classes of changed assets. */
  readonly #touched = new Set<string>();
  /** The classes of which all assets count as changed. */
  readonly #whole = new Set<string>();

  constructor(maxAssets: number) {
    this.#maxAssets = maxAssets;
  }

  /** Adds a change of an asset. */
  add({ asset, type }: { readonly asset: string; readonly type: string }): void {
    this.#touched.add(type);
    if (this.#whole.has(type)) return;
    this.#assets.add(asset);
    if (this.#assets.size > this.#maxAssets) this.addWhole(this.#touched);
  }

  /** Adds all assets of some types. */
  addWhole(classes: Iterable<string>): void {
    for (const className of [...classes, ...this.#touched]) {
      this.#touched.add(className);
      this.#whole.add(className);
    }
    this.#assets.clear();
  }

  /** Adds everything of another set. */
  addAll(other: PurgeSet): void {
    for (const className of other.#touched) this.#touched.add(className);
    if (other.#whole.size > 0 || this.#assets.union(other.#assets).size > this.#maxAssets) {
      this.addWhole(other.#touched);
      return;
    }
    for (const asset of other.#assets) this.#assets.add(asset);
  }

  /** Lists the tags. */
  tags(): string[] {
    return [
      ...tagsOfEveryPurge,
      ...[...this.#touched].map(anyTag),
      ...[...this.#whole].map(typeTag),
      ...this.#assets,
    ];
  }
}
