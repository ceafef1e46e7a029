/**
 * Purges a cache of what has changed: gathers the tags of changes for a second, sends them, and sends them once more 5 seconds later,
 * because a read that began before the purge may have filled the cache with former content.
 *
 * The cursor passes only changes whose tags were sent twice, so after a crash some are purged again. While the receiver fails,
 * the tags gather in one bounded set.
 */

import { anyTag, typeTag } from '../../text/cache-tags.ts';
import type { CompiledWebhook } from '../compiled-webhook.ts';
import type { Attempt } from '../delivery/attempt.ts';
import type { OwnedCursor } from '../records/cursor-records.ts';
import { webhookActions } from '../records/webhook.ts';
import type { TaskParts, WorkerContext, WorkerTask } from '../sender/webhook-worker.ts';
import { divideTags, tagsOfEveryPurge, tagsPerCall } from './purge-template.ts';
import type { Purges, PurgeWebhook } from './send-purge.ts';

/** What purges use. */
export interface PurgeContext extends WorkerContext {
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
/** One round names at most so many assets, and takes about so many requests. */
const maxAssets = 1_000;
const maxCalls = 100;

/** Creates the task that purges a cache, from where the cursor of its webhook stands. */
export function createPurgeRounds(
  { sharedLog, clock, logger, purges, isLeaseHeld, onAttempt }: PurgeContext,
  {
    webhook,
    compiled,
    cursor: { state: begun },
  }: { webhook: PurgeWebhook; compiled: CompiledWebhook; cursor: OwnedCursor },
  { health, signal, disable }: TaskParts,
): WorkerTask {
  const mostAssets = Math.min(maxAssets, maxCalls * tagsPerCall(webhook));
  const filter = { types: compiled.classes, actions: webhookActions };
  let scanned = begun.seq;
  let { lastError } = begun;
  let gathering: Round | undefined = begun.isWholeDue ? createWholeRound() : undefined;
  const repeats: Round[] = [];
  let sending: Round | undefined;

  function createWholeRound(): Round {
    const tags = new PurgeSet(mostAssets);
    tags.addWhole(compiled.classes);
    return { tags, from: scanned, dueAt: 0, isRepeat: false };
  }

  async function readMore(): Promise<boolean> {
    const page = await sharedLog.readAfter({ seq: scanned, filter });
    for (const change of page.changes) {
      const dueAt = performance.now() + gatherMs;
      gathering ??= { tags: new PurgeSet(mostAssets), from: change.seq - 1, dueAt, isRepeat: false };
      gathering.tags.add(change);
    }
    scanned = page.upTo;
    return page.isEnd;
  }

  /** Takes a round that is due, one at a time. */
  function take(): (() => Promise<void>) | undefined {
    const round = takeDue();
    sending = round ?? sending;
    return round && (() => send(round));
  }

  function takeDue(): Round | undefined {
    const now = performance.now();
    if (sending) return undefined;
    const [repeat] = repeats;
    if (repeat && repeat.dueAt <= now) return repeats.shift();
    if (!gathering || gathering.dueAt > now) return undefined;
    const round = gathering;
    gathering = undefined;
    return round;
  }

  function dueInMs(): number {
    const dueAt = sending ? [] : [gathering, repeats[0]].map((round) => round?.dueAt ?? Infinity);
    return Math.min(...dueAt) - performance.now();
  }

  /** Sends a round. One that was not sent completely is part of the next one. */
  async function send(round: Round): Promise<void> {
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
    for (const list of divideTags(tags, webhook)) {
      if (signal.aborted || !isLeaseHeld()) return 'stopped';
      const attempt = await purges.send(webhook, list, signal);
      if (signal.aborted) return 'stopped';
      onAttempt(webhook, attempt);
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
    if (isGone) await disable('gone');
    else if (health.isExhausted) await disable('failing');
  }

  /** The rounds that are not sent, or not for the second time. */
  const openRounds = () => [gathering, sending, ...repeats].filter((round) => round !== undefined);

  return {
    scanned: () => scanned,
    position: () => Math.min(scanned, ...openRounds().map(({ from }) => from)),
    held: () => 0,
    hasRoom: () => true,
    readMore,
    take,
    dueInMs,
    state: ({ isWholeDue }) => ({
      lastError,
      isWholeDue: isWholeDue && openRounds().length > 0 ? true : undefined,
    }),
  };
}

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
