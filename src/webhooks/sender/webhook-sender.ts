/**
 * Sends the changes of all webhooks: one process at a time, which holds the lease, with one worker for each active webhook.
 *
 * Every serving process runs a sender; those without the lease only watch it. While no webhook is active nobody takes the lease.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { durationBounds, Histogram, type Metric } from '../../base/metrics/metric.ts';
import type { Clock, Logger } from '../../base/runtime.ts';
import type { LogEnds, LogFollower } from '../../content/changes/follow-changes.ts';
import { createRevisionCache, type RevisionCache } from '../../content/revision-cache.ts';
import type { Catalog } from '../../model/content-type.ts';
import { type CompiledWebhook, compileWebhook } from '../compiled-webhook.ts';
import type { Attempt, Attempts } from '../delivery/attempt.ts';
import { createPurgeRounds } from '../purge/purge-worker.ts';
import { isPurge, type Purges } from '../purge/send-purge.ts';
import {
  type CursorRecords,
  type CursorState,
  type HeldAsset,
  type HeldAssets,
  LeaseTakenOver,
  type OwnedHolds,
} from '../records/cursor-records.ts';
import type { DeliveryRecords } from '../records/delivery-records.ts';
import type { Webhook } from '../records/webhook.ts';
import { createDeliveries } from './deliverer.ts';
import type { QueuedHold } from './delivery-queue.ts';
import { createSharedLog } from './matching-changes.ts';
import { retryWaitsMs } from './receiver-health.ts';
import type { SenderLease } from './sender-lease.ts';
import {
  startWebhookWorker,
  type TaskParts,
  type WebhookWorker,
  type WorkerContext,
  type WorkerProgress,
} from './webhook-worker.ts';

/** What a sender uses. */
interface SenderContext {
  /** The webhooks, as the store has them, and a text that changes whenever one of them is written. */
  readonly webhooks: { list(): Promise<readonly Webhook[]>; revision(): Promise<string> };
  /** The content types that webhooks are about. */
  readonly catalog: Catalog;
  readonly log: LogFollower;
  readonly attempts: Attempts;
  readonly purges: Purges;
  readonly cursors: CursorRecords;
  readonly deliveries: DeliveryRecords;
  readonly held: HeldAssets;
  readonly lease: SenderLease;
  readonly disable: WorkerContext['disable'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The sender of one process. */
export interface WebhookSender {
  start(): void;
  /** Ends the deliveries under way, and lets another process go on at once. */
  stop(): Promise<void>;
  collect(): Metric[];
}

/** A webhook with what it is about. */
interface ActiveWebhook {
  readonly webhook: Webhook;
  readonly compiled: CompiledWebhook;
}

const tickMs = 500;

export function createWebhookSender(context: SenderContext): WebhookSender {
  const { webhooks, catalog, log, lease, clock, logger } = context;
  const stopping = new AbortController();
  const growth = createLogGrowth(log);
  const sharedLog = createSharedLog(log, growth.lastSeq);
  const metrics = createSenderMetrics();
  const workers = new Map<string, { readonly webhook: Webhook; readonly worker: WebhookWorker }>();
  /** The version of each webhook whose worker this process has started last. */
  const startedVersions = new Map<string, string>();
  let cache: RevisionCache<readonly ActiveWebhook[]> | undefined;
  let fence: number | undefined;
  let watching: AbortController | undefined;
  let running: Promise<void> | undefined;

  async function readActive(): Promise<readonly ActiveWebhook[]> {
    const all = await webhooks.list();
    return all.flatMap((webhook) => {
      if (webhook.disabled) return [];
      const compiled = compileWebhook(catalog, webhook);
      if (!('problems' in compiled)) return [{ webhook, compiled }];
      const facts = { webhook: webhook.name, problems: compiled.problems };
      logger.error(facts, 'A webhook does not fit the content types and sends nothing until it does');
      return [];
    });
  }

  async function step(active: readonly ActiveWebhook[]): Promise<void> {
    if (fence === undefined) {
      if (active.length === 0) return;
      fence = await lease.acquire();
      if (fence === undefined) return;
      watching = new AbortController();
      void growth.watch(watching.signal);
    }
    if (!(await lease.renew())) return stopAll();
    await stopOutdated(active);
    for (const each of active) if (!workers.has(each.webhook.id)) await tryToStart(each, fence);
    if (active.length === 0) await release();
  }

  /** Stops the workers whose webhook has changed, was disabled or deleted. */
  async function stopOutdated(active: readonly ActiveWebhook[]): Promise<void> {
    const versions = new Map(active.map(({ webhook }) => [webhook.id, webhook.version]));
    const outdated = [...workers].filter(([id, { webhook }]) => versions.get(id) !== webhook.version);
    await Promise.all(outdated.map(([, { worker }]) => worker.stop()));
    for (const [id] of outdated) workers.delete(id);
  }

  /** Starts a worker; one that cannot be started is tried again, and keeps no other from starting. */
  async function tryToStart(active: ActiveWebhook, ownFence: number): Promise<void> {
    try {
      await startWorker(active, ownFence);
    } catch (err) {
      if (err instanceof LeaseTakenOver) throw err;
      logger.error(
        { err, webhook: active.webhook.name },
        'A webhook could not be started; it will be tried again',
      );
    }
  }

  async function startWorker({ webhook, compiled }: ActiveWebhook, ownFence: number): Promise<void> {
    const ends = await growth.look();
    const cursor = await context.cursors.own(webhook.id, ownFence, toStart(webhook, ends));
    const isChanged = (startedVersions.get(webhook.id) ?? webhook.version) !== webhook.version;
    startedVersions.set(webhook.id, webhook.version);
    const state = toPresent(cursor.state, { webhook, ends, isChanged });
    if (state !== cursor.state) await cursor.save(state);
    if (state.missedBefore !== cursor.state.missedBefore) {
      const facts = { webhook: webhook.name, missedBefore: state.missedBefore };
      logger.error(facts, 'Changes were removed from the change log before they were sent to a webhook');
    }
    const { lastSeq, untilGrown } = growth;
    const onAttempt = ({ name }: Webhook, attempt: Attempt) => metrics.add(name, attempt);
    const own = { sharedLog, isLeaseHeld: lease.isHeld, onAttempt, lastSeq, untilGrown };
    const workerContext = { ...context, ...own };
    const start = { webhook, compiled, cursor: { ...cursor, state } };
    const restart = { state, former: cursor.state, isChanged, nowMs: clock.nowMs() };
    const holds = await ownHolds(await context.held.own(webhook.id, ownFence), restart);
    const createTask = (parts: TaskParts) =>
      isPurge(webhook)
        ? createPurgeRounds(workerContext, { ...start, webhook }, parts)
        : createDeliveries(workerContext, { ...start, ...holds }, parts);
    const worker = startWebhookWorker(workerContext, { ...start, createTask });
    workers.set(webhook.id, { webhook, worker });
    void worker.ended.catch((err: unknown) => endFailed(webhook, worker, err));
  }

  /** Forgets a worker that has failed, so that it is started again. */
  function endFailed({ id, name }: Webhook, worker: WebhookWorker, err: unknown): void {
    if (err instanceof LeaseTakenOver) logger.warn({}, 'Another process sends to webhooks now');
    else
      logger.error({ err, webhook: name }, 'Changes could not be sent to a webhook; it will be tried again');
    if (workers.get(id)?.worker === worker) workers.delete(id);
  }

  async function stopAll(): Promise<void> {
    fence = undefined;
    watching?.abort();
    await Promise.all([...workers.values()].map(({ worker }) => worker.stop()));
    workers.clear();
  }

  async function release(): Promise<void> {
    await stopAll();
    await lease.release();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        cache ??= await createRevisionCache({
          revision: webhooks.revision,
          read: readActive,
          logger,
          subject: 'webhooks',
        });
        await step(cache.current());
      } catch (err) {
        if (!(err instanceof LeaseTakenOver)) logger.warn({ err }, 'Webhooks could not be served');
        else await stopAll();
      }
      await sleep(tickMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      await cache?.stop();
      await release().catch((err: unknown) => logger.warn({ err }, 'The lease of webhooks was not released'));
    },
    collect: () =>
      metrics.collect(
        [...workers.values()].map(({ webhook: { name }, worker }) => ({
          name,
          lastSeq: growth.lastSeq(),
          ...worker.progress(),
        })),
      ),
  };
}

/** The cursor of a webhook that was never sent to. */
function toStart({ start }: Webhook, { epoch, last }: LogEnds): CursorState {
  return { startMark: start.mark, epoch, seq: start.epoch === epoch ? start.seq : last };
}

/** Adapts a cursor to a replay, another line of history, and what was trimmed; a changed webhook is tried at once. */
function toPresent(
  state: CursorState,
  { webhook, ends, isChanged }: { webhook: Webhook; ends: LogEnds; isChanged: boolean },
): CursorState {
  const isRestarted = state.startMark !== webhook.start.mark || state.epoch !== ends.epoch;
  const base = isRestarted ? { ...toStart(webhook, ends), lastSuccessAtMs: state.lastSuccessAtMs } : state;
  const hasMissed = ends.first > base.seq + 1;
  const isUnknown = hasMissed || state.epoch !== ends.epoch || state.isWholeDue;
  const tried =
    isChanged && !isRestarted ? { failingSinceMs: undefined, failures: undefined, retryAtMs: undefined } : {};
  if (!isRestarted && !hasMissed && !isChanged) return state;
  const missed = hasMissed && { missedBefore: ends.first, seq: ends.first - 1 };
  return { ...base, ...tried, ...missed, ...(webhook.purge && isUnknown && { isWholeDue: true }) };
}

/** The end of the log. */
interface LogGrowth {
  /** Reads it anew. Errors: the store's. */
  look(): Promise<LogEnds>;
  lastSeq(): number;
  /** Resolves when the log has grown beyond `seq`, or at the abort. */
  untilGrown(seq: number, signal: AbortSignal): Promise<void>;
  /** Looks again and again until the signal is aborted. */
  watch(signal: AbortSignal): Promise<void>;
}

const pollMs = 250;

function createLogGrowth(log: Pick<LogFollower, 'ends'>): LogGrowth {
  let last = 0;
  const waiting = new Set<{ readonly seq: number; readonly resolve: () => void }>();

  async function look(): Promise<LogEnds> {
    const ends = await log.ends();
    last = ends.last;
    for (const each of waiting) if (last > each.seq) each.resolve();
    return ends;
  }

  return {
    look,
    lastSeq: () => last,
    untilGrown(seq, signal) {
      if (last > seq || signal.aborted) return Promise.resolve();
      return new Promise((done) => {
        const entry = { seq, resolve: () => end() };
        const end = () => {
          waiting.delete(entry);
          signal.removeEventListener('abort', end);
          done();
        };
        waiting.add(entry);
        signal.addEventListener('abort', end);
      });
    },
    async watch(signal) {
      while (!signal.aborted) {
        // While the store fails the log does not grow.
        await look().catch(() => undefined);
        await sleep(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
  };
}

/** How a webhook is started: from the `former` state of its cursor, adapted to the present `state`. */
interface Restart {
  readonly state: CursorState;
  readonly former: CursorState;
  /** Whether the webhook was changed since it was last started. */
  readonly isChanged: boolean;
  readonly nowMs: number;
}

/** Prepares the assets on hold for the queue. Deletes those whose changes a replay sends. Errors: LeaseTakenOver, the store's. */
async function ownHolds(
  { found, owned }: { readonly found: readonly HeldAsset[]; readonly owned: OwnedHolds },
  { state, former, isChanged, nowMs }: Restart,
): Promise<{ readonly holds: readonly QueuedHold[]; readonly held: OwnedHolds }> {
  const isRestarted = state.startMark !== former.startMark;
  const holds: QueuedHold[] = [];
  for (const hold of found) {
    if (isRestarted && hold.seq > state.seq) {
      await owned.delete(hold.assetId);
      continue;
    }
    const isExhausted = hold.attempts > retryWaitsMs.length;
    holds.push({
      ...hold,
      heldUpTo: Math.max(hold.seq, former.seq),
      ...((isExhausted || isChanged) && { nextAttemptAtMs: nowMs }),
      ...(isExhausted && { attempts: 0, firstAttemptAtMs: nowMs }),
    });
  }
  return { holds, held: owned };
}

/** How a webhook is, for metrics. */
interface MeasuredWebhook extends WorkerProgress {
  readonly name: string;
  /** The end of the log. */
  readonly lastSeq: number;
}

/** Counts attempts. */
interface SenderMetrics {
  add(name: string, attempt: Attempt): void;
  collect(webhooks: readonly MeasuredWebhook[]): Metric[];
}

function createSenderMetrics(): SenderMetrics {
  const counts = new Map<string, { readonly labels: Record<string, string>; value: number }>();
  const durations = new Histogram(durationBounds);
  return {
    add(webhook, { isDelivered, tookMs }) {
      const labels = { webhook, outcome: isDelivered ? 'delivered' : 'failed' };
      const key = JSON.stringify(labels);
      const count = counts.get(key) ?? { labels, value: 0 };
      count.value++;
      counts.set(key, count);
      durations.record(tookMs / 1000);
    },
    collect(webhooks) {
      const gauge = (name: string, help: string, value: (webhook: MeasuredWebhook) => number): Metric => ({
        name,
        help,
        type: 'gauge',
        combine: 'max',
        samples: webhooks.map((each) => ({ labels: { webhook: each.name }, value: value(each) })),
      });
      return [
        {
          name: 'colophon_webhook_attempts_total',
          help: 'Attempts to deliver changes to webhooks, by outcome.',
          type: 'counter',
          combine: 'sum',
          samples: [...counts.values()],
        },
        {
          name: 'colophon_webhook_attempt_duration_seconds',
          help: 'How long attempts to deliver changes to webhooks took.',
          type: 'histogram',
          bounds: durationBounds,
          samples: [durations.toSample({})],
        },
        gauge(
          'colophon_webhook_lag_changes',
          'Entries of the change log that a webhook has not passed yet.',
          ({ lastSeq, position }) => Math.max(0, lastSeq - position),
        ),
        gauge(
          'colophon_webhook_held_assets',
          'Assets whose changes are on hold for a webhook.',
          ({ held }) => held,
        ),
        gauge('colophon_webhook_failing', '1 while the receiver of a webhook fails.', ({ isFailing }) =>
          isFailing ? 1 : 0,
        ),
      ];
    },
  };
}
