/**
 * Schedules the publication of releases, and publishes those whose time has come by the clock of the store.
 *
 * Several processes may try at the same time: a publication requires that the record of the release is as it was when its time had come,
 * so the store carries out one, and none of a release that was scheduled again meanwhile.
 */
import { setTimeout } from 'node:timers/promises';
import { invalidBody, isDomainError, isStoreError, unlessError } from '../../../base/errors.ts';
import type { Metric } from '../../../base/metrics/metric.ts';
import type { Actor, RequestOrigins } from '../../../base/request-origin.ts';
import type { Clock, IdSource, Logger } from '../../../base/runtime.ts';
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import { idPath } from '../../../query/sort.ts';
import type { ContentStore, StoredAsset } from '../../../store/port.ts';
import type { ClockWatch } from '../../changes/clock-watch.ts';
import { findWhole } from '../../reading/read-chunks.ts';
import { type ReleaseRecord, releaseClass, releaseId, scheduleFields, toReleaseRecord } from '../draft.ts';
import { findRelease } from '../draft-source.ts';
import type { Publisher } from './publish-release.ts';
import { changeRelease } from './publish-release.ts';

type FollowedClock = Pick<ClockWatch, 'mayAct'>;

export interface ReleaseSchedules {
  /** Schedules a publication in place of a former one. Errors: not_found; invalid_body for a time that has passed. */
  schedule(name: string, publishAtMs: number): Promise<ReleaseRecord>;
  /** Takes the schedule back, if there is one. Errors: not_found. */
  unschedule(name: string): Promise<void>;
  /**
   * Publishes the releases whose time has come, in the order of their times. One whose drafts cannot be published is stopped, and later ones go
   * on. Publishes none while the clock may not be followed. Errors: those of the store, after which the same release is tried again by the next call.
   */
  publishDue(clockWatch?: FollowedClock): Promise<void>;
  /** Returns the releases whose publication has stopped, in the order of their times. */
  listStopped(): Promise<readonly ReleaseRecord[]>;
  /** Publishes releases in the background when their time has come, unless the clock may not be followed. */
  start(logger: Logger, clockWatch: FollowedClock): void;
  /** Resolves when no publication is in progress. */
  stop(): Promise<void>;
  collect(): Metric[];
}

/** How often the store is asked for releases whose time has come, and how long after an error. */
const tickMs = 2_000;
const pauseAfterErrorMs = 10_000;

/** How many schedules are read at once, the earliest ones. */
const maxRead = 1_000;

export function createReleaseSchedules({
  store,
  publisher,
  clock,
  ids,
  origins,
}: {
  store: ContentStore;
  publisher: Pick<Publisher, 'publish'>;
  clock: Clock;
  ids: IdSource;
  origins: RequestOrigins;
}): ReleaseSchedules {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  let stoppedCount: number | undefined;
  const nowMs = async () => (await store.readClock()) ?? clock.nowMs();

  async function schedule(name: string, publishAt: number): Promise<ReleaseRecord> {
    if (publishAt <= (await nowMs()))
      throw invalidBody([{ path: 'at', message: 'must be later than the present time of the store' }]);
    const stored = await findRelease(store, name);
    if (!stored) {
      // The release that always exists has no record before its first write.
      const record = { name, createdAt: clock.nowMs(), drafts: 0, bytes: 0 };
      const asset = { _id: releaseId(name), _type: releaseClass, ...record };
      await unlessError(store.insert({ asset, version: ids.version() }), 'id_in_use');
    }
    const action = { action: 'SCHEDULED', publishAt } as const;
    const { name: scheduledBy } = origins.current().by;
    const changed = await changeRelease({ store, ids }, name, {
      set: { publishAt, ...(scheduledBy !== undefined && { scheduledBy }) },
      unset: scheduledBy === undefined ? ['scheduledBy', 'stopped'] : ['stopped'],
      action,
    });
    const after = changed && (await findRelease(store, name));
    // It was deleted meanwhile.
    return after ? toReleaseRecord(after.asset) : schedule(name, publishAt);
  }

  async function unschedule(name: string): Promise<void> {
    const stored = await findRelease(store, name);
    if (!stored || toReleaseRecord(stored.asset).publishAt === undefined) return;
    const action = { action: 'UNSCHEDULED' } as const;
    await changeRelease({ store, ids }, name, { set: {}, unset: scheduleFields, action });
  }

  /** Reads the scheduled releases in the order of their times. */
  async function readScheduled(): Promise<readonly StoredAsset[]> {
    const { items } = await findWhole(store, {
      types: [releaseClass],
      where: isScheduled,
      sort: [publishAtPath, idPath].map((path) => ({ path, descending: false })),
      offset: 0,
      limit: maxRead,
      withCount: false,
    });
    return items;
  }

  /** Does a change unless others have changed the release; then the next call looks at it again. */
  const applyUnlessChanged = (change: Promise<unknown>) => unlessError(change, 'precondition_failed');

  async function publishOne(stored: StoredAsset): Promise<void> {
    const { name, publishAt, scheduledBy } = toReleaseRecord(stored.asset);
    const by: Actor = {
      kind: 'system',
      ...(scheduledBy !== undefined && { name: `${scheduledBy} (scheduled)` }),
    };
    const { version: ifVersion } = stored;
    try {
      const { run } = await origins.runAs({ ...origins.current(), by }, () =>
        publisher.publish({ release: name, scheduledAt: publishAt }),
      );
      // There was no draft.
      const emptied = { set: {}, unset: scheduleFields, version: ids.version(), ifVersion };
      if (run === undefined)
        await applyUnlessChanged(store.patch({ id: releaseId(name), type: releaseClass, ...emptied }));
    } catch (error) {
      if (isDomainError(error, 'not_found')) return;
      // What is no domain error is a fault of the server, which the scheduler logs.
      if (!isDomainError(error) || isStoreError(error)) throw error;
      const set = { stopped: { message: describe(error), at: await nowMs() } };
      const action = { action: 'STOPPED' } as const;
      await applyUnlessChanged(changeRelease({ store, ids }, name, { set, unset: [], ifVersion, action }));
    }
  }

  async function publishDue(clockWatch?: FollowedClock): Promise<void> {
    const scheduled = await readScheduled();
    const waiting = scheduled.filter(({ asset }) => toReleaseRecord(asset).stopped === undefined);
    stoppedCount = scheduled.length - waiting.length;
    if (waiting.length === 0) return;
    const now = await nowMs();
    if (clockWatch && !(await clockWatch.mayAct(now))) return;
    for (const stored of waiting) {
      if (signal.aborted || Number(stored.asset.publishAt) > now) return;
      await publishOne(stored);
    }
  }

  async function run(logger: Logger, clockWatch: FollowedClock): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await publishDue(clockWatch).then(
        () => tickMs,
        (err: unknown) => {
          logger.warn({ err }, 'A scheduled release could not be published; it will be tried again');
          return pauseAfterErrorMs;
        },
      );
      await setTimeout(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    schedule,
    unschedule,
    publishDue,
    listStopped: async () =>
      (await readScheduled()).map(({ asset }) => toReleaseRecord(asset)).filter(({ stopped }) => stopped),
    start(logger, clockWatch) {
      const { transactions, changes } = store.capabilities;
      if (transactions && changes) running ??= run(logger, clockWatch);
    },
    async stop() {
      stopping.abort();
      await running;
    },
    collect: () => [
      {
        name: 'colophon_releases_stopped',
        help: 'Releases whose scheduled publication stopped because of their drafts.',
        type: 'gauge',
        combine: 'max',
        samples: stoppedCount === undefined ? [] : [{ labels: {}, value: stoppedCount }],
      },
    ],
  };
}

function describe(error: Error): string {
  if (!isDomainError(error, 'publication_refused')) return error.message;
  const [first] = error.details.findings;
  return first ? `${error.message}. The first finding: ${first.message}` : error.message;
}

const publishAtPath: FieldPath = {
  text: 'publishAt',
  steps: [{ name: 'publishAt', list: false }],
  leaf: { kind: 'scalar', scalar: 'EpochMillis' },
};

/** The predicate that finds the scheduled releases. */
export const isScheduled: BoundPredicate = { kind: 'compare', path: publishAtPath, operator: 'ge', value: 0 };
