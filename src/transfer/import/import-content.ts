/**
 * Imports assets: reads segments and sends several at once. The journal records each before it is sent and after it is answered. At
 * the end, the targets of dangling references are looked up again, and what the file lacks is deleted.
 */
import { transferFailed } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { FileImport } from '../files/target-files.ts';
import type { ContentTarget, Mode } from '../target/content-target.ts';
import type { RetryPolicy } from '../target/retry-policy.ts';
import type { Input } from './input.ts';
import type { Counts, Journal } from './journal.ts';
import { prune } from './prune.ts';
import { type UpdateKeys, valueAt } from './reference-keys.ts';
import type { LineResolver } from './resolve-line.ts';
import { readSegments, type Segment, type SegmentLimits } from './segments.ts';
import { type Outcome, sendSegment, type Writing } from './send-segment.ts';

export interface ImportSettings {
  readonly mode: Mode;
  readonly by: UpdateKeys;
  /** How many segments may be under way at once. */
  readonly concurrency: number;
  readonly limits: SegmentLimits;
  readonly maxLineBytes: number;
  /** Whether the target writes nothing. */
  readonly isDryRun: boolean;
}

/** The progress of an import; `bytes` counts completed segments. */
export interface ImportProgress extends Counts {
  readonly bytes: number;
  readonly lines: number;
}

/** The data and services that an import needs. */
export interface ImportJob {
  readonly input: Input;
  readonly target: ContentTarget;
  readonly journal: Journal;
  readonly settings: ImportSettings;
  /** Finds and uploads the files that lines name; absent when they are there already. */
  readonly files?: FileImport | undefined;
  readonly resolver: LineResolver;
  /** Whether the recorded surplus is deleted when no line has failed. */
  readonly isPruned: boolean;
  /** How to wait before a batch with transient failures is sent again. */
  readonly policy: RetryPolicy;
  /** Stops the import, after the segments under way are answered. */
  readonly signal: AbortSignal;
  onProgress(progress: ImportProgress): void;
}

/** How many reference targets are looked up at once. */
const targetsAtOnce = 150;

/**
 * Imports everything that the journal does not record as done.
 *
 * Errors: transfer_failed when the import cannot continue or was stopped; the journal then records where it stands.
 */
export async function importContent(job: ImportJob): Promise<void> {
  await sendAll(job);
  await resolveReferences(job);
  if (job.isPruned && !job.settings.isDryRun && job.journal.counts().failed === 0) await prune(job);
}

async function sendAll(job: ImportJob): Promise<void> {
  const { input, journal, settings, signal } = job;
  const { by, concurrency, limits, maxLineBytes } = settings;
  const [position, underWay] = [journal.position(), journal.underWay()];
  const isOld = new Set(underWay.map(({ start }) => start));
  const locks = createKeyLocks(by);
  const pump = createTaskPool(concurrency, signal);
  const sender = { isStopping: pump.isStopping, progress: trackProgress(job) };
  try {
    for await (const segment of readSegments({ input, position, underWay, limits, maxLineBytes })) {
      const keys = locks.keysOf(segment);
      if (!(await pump.waitForRoom(() => !locks.isTaken(keys)))) break;
      if (!isOld.has(segment.start)) journal.begin(segment);
      locks.take(keys);
      pump.start(() => sendWhole(segment, job, sender).finally(() => locks.release(keys)));
    }
  } catch (error) {
    // A stream that is no longer read fails.
    if (!signal.aborted) pump.fail(error);
  }
  await pump.end();
  if (signal.aborted) throw transferFailed('stopped');
}

const writingOf = ({
  journal,
  target,
  policy,
  resolver,
  settings: { mode, by, isDryRun },
}: ImportJob): Writing => ({
  mode,
  by,
  isDryRun,
  target,
  policy,
  identity: journal.identity,
  index: journal.index,
  resolver,
});

/** Reports progress, and whether to stop. */
interface Sender {
  isStopping(): boolean;
  progress(outcome: Outcome, segment: Segment): void;
}

/** Sends a segment, and the parts it is split into. */
async function sendWhole(segment: Segment, job: ImportJob, { isStopping, progress }: Sender): Promise<void> {
  const {
    journal,
    settings: { limits },
  } = job;
  const waiting = [segment];
  const writing = writingOf(job);
  for (let next = waiting.shift(); next && !isStopping(); next = waiting.shift()) {
    const lines = (await job.files?.prepare(next.lines)) ?? next.lines;
    const outcome = await sendSegment({ ...next, lines }, writing);
    journal.complete(next, outcome);
    if (outcome.isTooLarge) limits.bytes = Math.min(limits.bytes, Math.ceil((next.end - next.start) / 2));
    waiting.push(...outcome.again);
    progress(outcome, next);
  }
}

/** Continues the counts of the journal. */
function trackProgress({ journal, onProgress }: ImportJob) {
  const { byte, line } = journal.position();
  let progress = { ...journal.counts(), bytes: byte, lines: line };
  // Segments that were under way are sent again, so they do not count yet.
  for (const { start, end, firstLine, lastLine } of journal.underWay()) {
    progress.bytes -= end - start;
    progress.lines -= lastLine - firstLine + 1;
  }
  onProgress(progress);
  return ({ created, updated, unchanged, failures, again }: Outcome, { start, end, lines }: Segment) => {
    const left = again.flatMap((part) => part.lines);
    const leftBytes = left.reduce((sum, line) => sum + line.end - line.start, 0);
    progress = {
      deleted: progress.deleted,
      created: progress.created + created,
      updated: progress.updated + updated,
      unchanged: progress.unchanged + unchanged,
      failed: progress.failed + failures.length,
      bytes: progress.bytes + end - start - leftBytes,
      lines: progress.lines + lines.length - left.length,
    };
    onProgress(progress);
  };
}

/** Removes the references from the journal whose targets exist by now. */
async function resolveReferences({ target, journal, signal }: ImportJob): Promise<void> {
  for (const targets of journal.dangling.targets(targetsAtOnce)) {
    if (signal.aborted) throw transferFailed('stopped');
    const missing = new Set(await target.findMissing(targets));
    journal.dangling.resolve({ ...targets, refs: targets.refs.filter((ref) => !missing.has(ref)) });
  }
}

/** The assets of the segments under way. */
function createKeyLocks(by: UpdateKeys) {
  const taken = new Set<string>();
  const keys = [...new Set(['_id', ...by.all.map(([, fields]) => fields)])].map((key) => key.split(','));
  return {
    /** Lists the keys of a segment's assets: their `_id`, and their values of the fields of all keys. */
    keysOf: ({ lines }: Segment): readonly string[] =>
      lines.flatMap(({ content }) => {
        if (content.kind !== 'asset') return [];
        const { asset } = content;
        return keys.map((fields) => toKey(fields, asset));
      }),
    isTaken: (keys: readonly string[]) => keys.some((key) => taken.has(key)),
    take(keys: readonly string[]) {
      for (const key of keys) taken.add(key);
    },
    release(keys: readonly string[]) {
      for (const key of keys) taken.delete(key);
    },
  };
}

/** Lines without a value have the same key, so they stay in order, too. */
const toKey = (fields: readonly string[], asset: JsonObject) =>
  JSON.stringify(fields.map((field) => [field, valueAt(asset, field)])).toLowerCase();

/** Creates a pool. `isReady` may only change when a running task ends. */
function createTaskPool(limit: number, signal: AbortSignal) {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const isStopping = () => failures.length > 0 || signal.aborted;
  const fail = (error: unknown) => void failures.push(error);
  return {
    /** Waits until the pool has room and `isReady` holds. Returns false when the pool is stopping. */
    async waitForRoom(isReady: () => boolean): Promise<boolean> {
      while (!isStopping() && (underWay.size >= limit || !isReady())) await Promise.race(underWay);
      return !isStopping();
    },
    start(task: () => Promise<void>): void {
      const ended = task()
        .catch(fail)
        .finally(() => underWay.delete(ended));
      underWay.add(ended);
    },
    /** Stops the pool with this error. */
    fail,
    isStopping,
    /** Waits for the running tasks. Errors: the first that stopped the pool. */
    async end() {
      await Promise.all(underWay);
      if (failures.length > 0) throw failures[0];
    },
  };
}
